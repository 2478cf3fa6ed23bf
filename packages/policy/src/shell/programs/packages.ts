/**
 * Package managers. Installing fetches and runs code of strangers, running a script runs code of the project: neither is
 * ever known. What is published for others or taken from the machine cannot be had back.
 */
import type { Finding, Invocation, Judge, Word } from '../invocation.ts';
import { alwaysDangerous, anywhere, forEach, risky, wordSet } from './danger.ts';
import { gives, operandsOf } from './loose.ts';

interface Manager {
  /** Verbs that connect. */
  fetches: ReadonlySet<string>;
  /** Without a verb it installs. */
  installs?: boolean;
  /** Verbs that change what others get, or what everything here uses. */
  dangers?: ReadonlyMap<string, string>;
}

const publishes = 'it changes what is published for others';
const uninstalls = 'it removes programs from this machine';
const steersAll = 'it changes settings for all projects';

/** Their value is no verb. */
const withValue =
  '--prefix --cwd --dir -C --filter -F --workspace -w --registry --manifest-path --directory --project --config ' +
  '--userconfig --loglevel --color --package -p -n --name';

const node = wordSet(
  'install i in ins add ci clean-install install-test it update up upgrade outdated audit view info show search dedupe ' +
    'ddp dlx create init exec x link ln import fetch self-update set login logout whoami ping star owner access token team ' +
    'org dist-tag profile publish unpublish deprecate npm plugin',
);
const publishing = dangersFor('publish unpublish deprecate dist-tag owner access token team org', publishes);
const installing = wordSet(
  'install add update upgrade download fetch search sync lock require get create remove tool restore ' +
    'outdated pip python global create-project publish push',
);

const managers: ReadonlyMap<string, Manager> = new Map([
  ['npm', { fetches: node, dangers: new Map([...publishing, ...dangersFor('set', steersAll)]) }],
  ['pnpm', { fetches: node, dangers: publishing }],
  ['yarn', { fetches: node, dangers: publishing, installs: true }],
  ['bun', { fetches: node, dangers: publishing }],
  ...each('pip pip2 pip3 pipx conda mamba micromamba composer nix', { fetches: installing }),
  ...each('poetry uv pdm hatch flit rye', { fetches: installing, dangers: dangersFor('publish', publishes) }),
  ['bundle', { fetches: installing, installs: true }],
  ['cargo', { fetches: installing, dangers: dangersFor('publish yank owner', publishes) }],
  ['go', { fetches: wordSet('get install mod') }],
  ['gem', { fetches: installing, dangers: dangersFor('push yank owner', publishes) }],
  ['dotnet', { fetches: installing }],
  ['twine', { fetches: wordSet('upload register check'), dangers: dangersFor('upload register', publishes) }],
  ...each('mvn mvnw gradle gradlew', { fetches: wordSet('deploy publish release:perform') }),
  ...each('brew port apt apt-get aptitude yum dnf zypper apk snap flatpak', {
    fetches: wordSet(
      'install update upgrade dist-upgrade full-upgrade reinstall add refresh tap fetch download source',
    ),
    dangers: dangersFor('remove purge autoremove uninstall del erase zap rm', uninstalls),
  }),
]);

export const packagePrograms: ReadonlyMap<string, Judge> = new Map([
  ...[...managers.keys()].map((name): [string, Judge] => [name, judgeManager]),
  ...forEach('npx bunx pnpx uvx corepack nix-shell nix-env', fetching),
  ...forEach('dpkg rpm pacman', lowLevel),
  ...alwaysDangerous(
    'apt-key add-apt-repository',
    'it changes whom this machine takes programs from',
    'package-manager',
  ),
]);

function judgeManager({ words: [name, ...words] }: Invocation): Finding {
  const manager = managers.get(name ?? '');
  const [verb, second] = operandsOf(words, withValue).filter((word) => !word?.startsWith('+'));
  const why = 'it can run code that nobody has looked at';
  if (manager === undefined) return risky('package-manager', why, undefined);
  const fetches = verb === undefined ? manager.installs === true && words.length === 0 : manager.fetches.has(verb);
  return risky('package-manager', why, dangerOf(manager, verb, second), fetches ? [anywhere] : []);
}

function dangerOf({ dangers }: Manager, verb: Word, second: Word): string | undefined {
  if (verb === 'npm' || verb === 'nuget')
    return /^(publish|push|delete|tag)$/.test(second ?? '') ? publishes : undefined;
  if (verb === 'config' && /^(set|delete|edit)$/.test(second ?? '')) return steersAll;
  return dangers?.get(verb ?? '');
}

/** They run what they may have to fetch first. */
function fetching({ words }: Invocation): Finding {
  const offline = gives(words, 'no-install', 'no', 'offline');
  return risky('package-manager', 'it runs code that nobody has looked at', undefined, offline ? [] : [anywhere]);
}

function lowLevel({ words: [name, ...words] }: Invocation): Finding {
  const removes = name === 'pacman' ? gives(words, 'R', 'remove') : name === 'rpm' ? gives(words, 'e', 'erase') : false;
  const purges = name === 'dpkg' && gives(words, 'r', 'P', 'remove', 'purge');
  const effects = name === 'pacman' && gives(words, 'S', 'sync') ? [anywhere] : [];
  return risky(
    'package-manager',
    'it deals with programs of this machine',
    removes || purges ? uninstalls : undefined,
    effects,
  );
}

function each(names: string, manager: Manager): [string, Manager][] {
  return names.split(' ').map((name) => [name, manager]);
}

function dangersFor(verbs: string, danger: string): ReadonlyMap<string, string> {
  return new Map(verbs.split(' ').map((verb) => [verb, danger]));
}
