/**
 * Hidden files that tools open at every start, whatever they are to do, and mostly without need: that one of them seemed
 * empty is worth telling once, not with every test that fails.
 */
const names: ReadonlySet<string> = new Set([
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.netrc', '_netrc', '.pypirc', '.curlrc', '.wgetrc'],
  ...['.docker/config.json', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.config/pypoetry/auth.toml', '.terraformrc', '.my.cnf'],
  ...['.composer/auth.json', '.config/composer/auth.json'],
]);

export function isRoutine(path: string): boolean {
  const parts = path.split('/');
  return [1, 2, 3].some((count) => names.has(parts.slice(-count).join('/')));
}
