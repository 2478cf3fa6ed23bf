/**
 * Where package managers get packages from, by the name a setting uses. No host where anybody can put anything, such as a
 * cloud's storage: what a command reads could leave by it.
 */

export const registries = {
  npm: ['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com'],
  node: ['nodejs.org'],
  jsr: ['jsr.io', 'npm.jsr.io'],
  deno: ['deno.land', 'esm.sh'],
  pypi: ['pypi.org', 'files.pythonhosted.org'],
  conda: ['conda.anaconda.org', 'repo.anaconda.com'],
  crates: ['crates.io', 'index.crates.io', 'static.crates.io', 'static.rust-lang.org'],
  go: ['proxy.golang.org', 'sum.golang.org', 'go.dev', 'dl.google.com'],
  maven: ['repo.maven.apache.org', 'repo1.maven.org', 'maven.google.com', 'dl.google.com'],
  gradle: ['services.gradle.org', 'plugins.gradle.org', 'downloads.gradle.org', 'plugins-artifacts.gradle.org'],
  rubygems: ['rubygems.org', 'index.rubygems.org'],
  packagist: ['packagist.org', 'repo.packagist.org'],
  nuget: ['api.nuget.org', 'www.nuget.org', 'globalcdn.nuget.org'],
  hex: ['hex.pm', 'repo.hex.pm', 'builds.hex.pm'],
  pub: ['pub.dev'],
  hackage: ['hackage.haskell.org', 'downloads.haskell.org'],
  cpan: ['cpan.metacpan.org', 'fastapi.metacpan.org', 'www.cpan.org'],
  cran: ['cran.r-project.org', 'cloud.r-project.org'],
  cocoapods: ['cdn.cocoapods.org', 'trunk.cocoapods.org'],
  debian: ['deb.debian.org', 'security.debian.org', 'ftp.debian.org'],
  ubuntu: ['archive.ubuntu.com', 'security.ubuntu.com', 'ports.ubuntu.com'],
  alpine: ['dl-cdn.alpinelinux.org'],
  fedora: ['mirrors.fedoraproject.org', 'dl.fedoraproject.org'],
  homebrew: ['formulae.brew.sh', 'ghcr.io', 'pkg-containers.githubusercontent.com'],
} as const satisfies Record<string, readonly string[]>;

export type RegistryName = keyof typeof registries;

export function isRegistryName(name: string): name is RegistryName {
  return Object.hasOwn(registries, name);
}

export function hostsOfRegistries(names: readonly RegistryName[]): string[] {
  return [...new Set(names.flatMap((name) => registries[name]))];
}

/** The first that is reached by this host. */
export function registryOf(host: string): RegistryName | undefined {
  return Object.keys(registries)
    .filter(isRegistryName)
    .find((name) => hostsOfRegistries([name]).includes(host));
}
