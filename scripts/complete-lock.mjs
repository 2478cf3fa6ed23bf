// Completes package-lock.json after dependencies changed. Packages with native parts name one optional package per
// platform; where a registry does not serve one of them, npm leaves its entry out of the lock, and `npm ci` then refuses
// the lock as incomplete. The entry only has to say for which platform the package is: npm skips it everywhere else.
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

const added = [];
for (const entry of Object.values(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] || !/^\d+\.\d+\.\d+/.test(range)) continue;
    lock.packages[path] = platformEntry(name, range, entry.dev);
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'the lock was complete' : `added ${added.length}: ${added.join(', ')}`);

/** The platform is in the name: `@rolldown/binding-linux-arm64-musl`. */
function platformEntry(name, version, dev) {
  const words = name.split(/[/-]/);
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors
    .filter((processor) => words.some((word) => word === processor || word === `${processor}gc`))
    .slice(0, 1);
  if (words.includes('ppc64le')) cpu.push('ppc64');
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : words.includes('gnu') ? ['glibc'] : [];
  if (os.length === 0 && cpu.length === 0) throw new Error(`${name} names no platform; add its entry by hand`);
  const platform = { cpu, libc, os };
  const named = Object.fromEntries(Object.entries(platform).filter(([, values]) => values.length > 0));
  return { version, ...named, ...(dev && { dev }), optional: true };
}
