/** Places that are special, under every spelling a file system may take for them. */
import { relative } from 'node:path/posix';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialPlaces, hasCredentialsBelow, isCredential } from '../src/paths/credentials.ts';
import { magicPlace } from '../src/paths/magic.ts';
import { isCalled } from '../src/paths/names.ts';
import { isOwnSettings, isProtectedWrite } from '../src/paths/protected.ts';
import { foldPath, isWithin } from '../src/paths/scope.ts';
import { decideEdit, decideOn, scope } from './decisions.ts';

const read = (path: string) => decideOn('read', [{ kind: 'read', path }], { mode: 'dangerously' });

describe('a folded path', () => {
  test.each([
    ['/w/.GIT/config', '/w/.git/config'],
    ['/w/.git./config', '/w/.git/config'],
    ['/w/.git . /config', '/w/.git/config'],
    ['/w/.g\u200cit/config', '/w/.git/config'],
    ['/w/.\u2064tau/x', '/w/.tau/x'],
    ['/w/\uff0egit', '/w/.git'],
    ['/h/.\u017fsh', '/h/.ssh'],
    ['/h/.\u00dfh', '/h/.ssh'],
    ['/h/.\u212aube', '/h/.kube'],
    ['/w/cafe\u0301', foldPath('/w/caf\u00e9')],
  ])('is the same for %j', (written, plain) => {
    expect(foldPath(written)).toBe(plain);
  });

  test('keeps what is really another name', () => {
    for (const name of ['/w/.gitignore', '/w/git', '/w/.gi', '/w/x.tau']) expect(foldPath(name)).toBe(name);
  });
});

describe('a short name of a Windows disk', () => {
  test.each([
    ['git~1', '.git', true],
    ['git~12', '.git', true],
    ['gi7eb2~1', '.git', true],
    ['vscode~1', '.vscode', true],
    ['pre-co~1.yam', '.pre-commit-config.yaml', true],
    ['bash_p~1', '.bash_profile', true],
    ['git~', '.git', false],
    ['gitx~1', '.git', false],
    ['gi~1', '.git', false],
  ])('%s for %s: %s', (segment, name, expected) => {
    expect(isCalled(segment, name)).toBe(expected);
  });
});

describe('credentials', () => {
  test.each([
    '/home/me/.ssh/id_ed25519',
    '/home/me/.SSH/id_rsa',
    '/home/me/.ssh',
    '/home/me/.\u00dfh/id_rsa',
    '/home/me/SSH~1/id_rsa',
    '/home/somebody/.aws/credentials',
    '/root/.netrc',
    '/Users/x/Library/Keychains/login.keychain-db',
    '/home/me/.config/google-chrome/Default/Cookies',
    '/home/me/.mozilla/firefox/p/logins.json',
    '/home/me/.cargo/credentials.toml',
    '/home/me/.codex/auth.json',
    '/home/me/.claude/.credentials.json',
    '/home/me/.local/share/opencode/auth.json',
    '/home/me/.gemini/oauth_creds.json',
    '/home/me/.tau/auth.json',
    '/home/me/.tau/auth.json.4711.tmp',
    '/home/me/.tau/models.json',
    '/etc/shadow',
    '/etc/ssh/ssh_host_rsa_key',
    '/run/secrets/db',
    '/mnt/c/Users/me/.ssh/id_rsa',
  ])('%s is never touched, in no mode', (path) => {
    expect(isCredential(path, scope)).toBe(true);
    expect(read(path)).toMatchObject({ outcome: 'deny', reason: expect.stringContaining('credentials') });
  });

  test.each([
    '/home/me/.sshd-notes',
    '/w/app/.env',
    '/w/app/.npmrc',
    '/w/app/.ssh-config.md',
    '/home/me/.config/ghost',
    '/home/me/.docker/daemon.json',
    '/etc/ssh/ssh_host_rsa_key.pub',
    '/home/me/.claude/settings.json',
  ])('%s is none', (path) => {
    expect(isCredential(path, scope)).toBe(false);
  });

  test('those of the machine, and of the home that the list of users knows, are places to hide', () => {
    const elsewhere = { ...scope, accountHome: '/srv/people/me' };
    const keys = ['/srv/people/me/.ssh', '/srv/people/me/.aws', '/srv/people/me/.tau/auth.json'];
    expect(credentialPlaces(elsewhere)).toEqual(
      expect.arrayContaining([...keys, '/home/me/.ssh', '/home/me/.tau/auth.json', '/etc/ssh/ssh_host_ed25519_key']),
    );
    for (const place of credentialPlaces(elsewhere))
      expect([place, isCredential(place, elsewhere)]).toEqual([place, true]);
    for (const place of keys) expect([place, isCredential(place, scope)]).toEqual([place, false]);
    expect(hasCredentialsBelow('/srv/people', elsewhere)).toBe(true);
    expect(hasCredentialsBelow('/srv/people', scope)).toBe(false);
  });

  test('a search may meet them wherever they can be below it, and nowhere else', () => {
    for (const folder of [
      '/',
      '/home',
      '/home/me',
      '/home/me/.config',
      '/home/me/.tau',
      '/etc',
      '/root',
      '/proc',
      '/run',
    ]) {
      expect([folder, hasCredentialsBelow(folder, scope)]).toEqual([folder, true]);
    }
    for (const folder of ['/w/app', '/home/me/projects/app', '/tmp', '/usr/lib', '/home/me/.config/ghost']) {
      expect([folder, hasCredentialsBelow(folder, scope)]).toEqual([folder, false]);
    }
  });

  test('are hidden from commands by the names the disk has for them, but for what programs cannot do without', () => {
    const places = credentialPlaces(scope);
    const hidden = [
      ...['.claude.json', '.composer/auth.json', '.config/composer/auth.json', '.config/stripe', '.config/netlify'],
      ...['.config/configstore/firebase-tools.json', '.config/hcloud', '.config/ngrok', '.ngrok2', '.thunderbird'],
      ...['.config/Bitwarden CLI', '.minikube/client.key', '.minikube/profiles', '.config/BraveSoftware'],
    ].map((name) => `/home/me/${name}`);
    expect(hidden.filter((path) => !places.includes(path))).toEqual([]);
    const needed = '/home/me/.nuget/NuGet/NuGet.Config';
    expect([...hidden, needed].filter((path) => read(path).outcome !== 'deny')).toEqual([]);
    expect(places).not.toContain(needed);
  });
});

describe('the insides of processes and of the machine', () => {
  test.each([
    '/proc/self/environ',
    '/proc/1/environ',
    '/proc/self/task/7/environ',
    '/proc/thread-self/mem',
    '/proc/self/root/etc/passwd',
    '/proc/4711/cwd/x',
    '/proc/self/map_files/00-11',
    '/proc/4711/fd/3',
    '/proc/self/fd/3/etc/passwd',
    '/dev/fd/3/x',
    '/dev/mem',
    '/proc/kcore',
  ])('%s is denied in every mode, also when a link leads there', (path) => {
    expect(magicPlace(path)).toBeTypeOf('string');
    expect(read(path).outcome).toBe('deny');
    const linked = decideOn('read', [{ kind: 'read', path: 'notes' }], { mode: 'dangerously', links: { notes: path } });
    expect(linked.outcome).toBe('deny');
  });

  test.each(['/proc/cpuinfo', '/proc/self/status', '/proc/self/fd/0', '/dev/fd/2', '/dev/null', '/dev/stdin'])(
    '%s is asked about like any place outside',
    (path) => {
      expect(magicPlace(path)).toBeUndefined();
      expect(decideOn('read', [{ kind: 'read', path }]).outcome).toBe('ask');
    },
  );
});

describe('what steers tools', () => {
  test.each([
    '/w/app/.git/hooks/pre-commit',
    '/w/app/.git',
    '/w/app/.GIT/config',
    '/w/app/GIT~1/config',
    '/w/app/mirror.git/config',
    '/w/app/sub/.husky/pre-push',
    '/w/app/lefthook.yml',
    '/w/app/.gitmodules',
    '/w/app/.claude/settings.json',
    '/w/app/.mcp.json',
    '/w/app/.github/copilot-instructions.md',
    '/w/app/.aider.conf.yml',
    '/w/app/.vscode/tasks.json',
    '/w/app/work.code-workspace',
    '/w/app/dotfiles/.zshenv',
    '/w/app/.envrc',
    '/w/app/.npmrc',
    '/w/app/.config/fish/config.fish',
    '/home/me/.bashrc',
    '/home/me/bin/git',
    '/home/me/.local/bin/node',
    '/home/me/.config/systemd/user/x.service',
    '/home/me/Library/LaunchAgents/x.plist',
    '/etc/cron.d/x',
    '/etc/profile.d/x.sh',
    '/etc/ld.so.preload',
    '/dev/sda',
  ])('%s is asked about in every mode that asks, there or not, whatever a broad rule says', (path) => {
    expect(isProtectedWrite(path, scope)).toBe(true);
    for (const mode of ['acceptEdits', 'trustProject', 'auto'] as const) {
      const decision = decideEdit(path, { mode, rules: { allow: ['edit', 'write', 'read'] } });
      expect([mode, decision.outcome]).toEqual([mode, 'ask']);
      expect(decision.offer).toBeUndefined();
    }
  });

  test.each([
    '/w/app/.gitignore',
    '/w/app/.github/workflows/ci.yml',
    '/w/app/src/git/index.ts',
    '/w/app/bin/run',
    '/w/app/AGENTS.md',
    '/w/app/.env',
    '/w/app/profile',
    '/w/app/etc/cron.d/x',
    '/dev/null',
  ])('%s is a file like any other', (path) => {
    expect(isProtectedWrite(path, scope)).toBe(false);
  });

  test('a folder of programs is free for who works in it', () => {
    const working = { ...scope, roots: ['/home/me/bin/tool'] };
    expect(isProtectedWrite('/home/me/bin/tool/run', working)).toBe(false);
    expect(isProtectedWrite('/home/me/.local/bin/x', working)).toBe(true);
  });

  test('a rule that names the very file allows it', () => {
    const rules = { allow: ['edit(.vscode/tasks.json)', 'read'] };
    expect(decideEdit('.vscode/tasks.json', { mode: 'acceptEdits', rules }).outcome).toBe('allow');
  });
});

describe("tau's own settings", () => {
  test.each([
    '/home/me/.tau/settings.json',
    '/home/me/.tau/trust.json',
    '/w/app/.tau/settings.json',
    '/w/app/.TAU/Settings.JSON',
    '/w/app/TAU~1/SETTIN~1.JSO',
    '/w/app/deep/.tau/settings.local.toml',
    '/w/app/.tau/mcp.json',
    '/w/app/.tau/extensions/x.ts',
    '/w/app/.tau',
  ])('%s is asked about even when a rule names it', (path) => {
    expect(isOwnSettings(path, scope)).toBe(true);
    const rules = { allow: [`edit(${path})`, `write(${path})`, 'read'] };
    expect(decideEdit(path, { mode: 'acceptEdits', rules }).outcome).toBe('ask');
  });

  test('what else is in its folder can be named', () => {
    expect(isOwnSettings('/w/app/.tau/prompts/x.md', scope)).toBe(false);
    const rules = { allow: ['edit(.tau/prompts/x.md)', 'read'] };
    expect(decideEdit('.tau/prompts/x.md', { mode: 'acceptEdits', rules }).outcome).toBe('allow');
  });
});

test('a path is within another exactly when the way there does not lead up, however both are written', () => {
  const segment = fc.constantFrom('', '.', '..', '...', 'a', 'a', 'b', '.a', 'a.');
  const path = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`);
  fc.assert(
    fc.property(path, path, (one, base) => {
      expect(isWithin(one, base)).toBe(!/^\.\.(?:\/|$)/.test(relative(base, one)));
    }),
    { numRuns: 3000, seed: 11 },
  );
});
