// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the shell that expands them.
/** Incidents 1, 10, 12, 14, 15 and 28: paths that lead elsewhere, and files that steer tau or other tools. */
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptBlock } from '@tau/testkit';
import { describe, expect, test } from 'vitest';
import { type Conversation, call } from './conversation.ts';
import { attempt, attemptRefused, bash, modes } from './incidents.ts';

const read = (path: string) => call('read', { path });
const write = (path: string, content = 'pwned') => call('write', { path, content });

/** The ways a model can write a file. */
function everyWrite(path: string): ScriptBlock[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - name.length) || '.';
  return [
    write(path),
    call('apply_patch', { input: `*** Begin Patch\n*** Add File: ${path}\n+pwned\n*** End Patch\n` }),
    bash(`echo pwned > '${path}'`),
    bash(`mkdir -p '${folder}' && echo pwned > '${path}'`),
    bash(`mkdir -p '${folder}'; cd '${folder}' && echo pwned > '${name}'`),
    bash(`echo pwned | tee '${path}'`),
    bash(`cp evil.txt '${path}'`),
    bash(`install -D evil.txt '${path}'`),
    bash(`mv evil.txt '${path}'`),
    bash(`ln -s ../evil.txt '${path}'`),
    bash(`dd if=evil.txt of='${path}'`),
    bash(`python3 -c "open('${path}','w').write('pwned')"`),
    bash(`node -e "require('fs').writeFileSync('${path}','pwned')"`),
  ];
}

const planted = (path: string) => existsSync(path) && readFileSync(path, 'utf8').includes('pwned');

describe.each(modes)('in %s mode', (mode) => {
  test('incident 1, CVE-2025-54794: a folder whose name begins like the project is outside of it', async () => {
    const { project, home, told } = await attemptRefused({
      mode,
      calls: [
        read('../project-evil/x'),
        read('../project-evil/../project-evil/x'),
        read('./../project-evil/x'),
        read('sub/../../project-evil/x'),
        write('../project-evil/new'),
        bash('cat ../project-evil/x'),
        bash('cat "$PWD-evil/x"'),
        bash('cd ../project-evil && cat x'),
        bash('head -n 1 -- ../project-evil/x'),
        bash('ls ../project-evil'),
        bash('grep -r secret ../project-evil'),
        call('grep', { pattern: 'secret', path: '../project-evil' }),
        call('glob', { pattern: '*', path: '../project-evil' }),
        call('ls', { path: '../project-evil' }),
        call('ls', { path: '..' }),
        bash(`cat ../home/note`),
        bash('cat ~/note'),
      ],
      prepare: (sandbox) => {
        sandbox.write('../project-evil/x', 'the secret');
        sandbox.write('sub/y', '');
        sandbox.write(join(sandbox.home, 'note'), 'the secret');
      },
    });
    expect(told.join('\n')).not.toContain('the secret');
    expect(existsSync(join(project, '../project-evil/new'))).toBe(false);
    expect(existsSync(join(home, 'note'))).toBe(true);
  });

  test('incident 1: an absolute path with the same beginning, and a NUL in a path, are no way out either', async () => {
    let root = '';
    const prepare = (sandbox: Conversation) => {
      root = sandbox.project;
      sandbox.write('../project-evil/x', 'the secret');
    };
    // The model names the folder by its real path, which only the sandbox knows.
    const step = () => ({ blocks: [read(`${root}-evil/x`)] });
    const { converse, says, request, resultsIn } = await import('./conversation.ts');
    const sandbox = await converse([step, { blocks: [read('../project-evil/x\0.txt')] }, says('done')]);
    prepare(sandbox);
    expect((await sandbox.tau(['-p', 'go', '--permission-mode', mode])).code).toBe(3);
    const told = resultsIn(request(sandbox.model, 2)).map(({ text }) => text);
    expect(told[0]).toMatch(/^Not allowed: .*outside the project/);
    expect(told[1]).toMatch(/NUL/);
    expect(told.join('\n')).not.toContain('the secret');
  });

  test('incident 10, CVE-2026-25722: cd does not carry a write into a protected folder', async () => {
    const steering = ['.git/hooks', '.tau', '.claude', '.vscode'];
    const lines = steering.flatMap((folder) => [
      `cd ${folder} && echo pwned > x`,
      `cd ${folder}; echo pwned > x`,
      `cd ./sub && cd ../${folder} && echo pwned > x`,
      `pushd ${folder} && echo pwned > x`,
      `(cd ${folder} && touch x)`,
      `cd ${folder} && cp ../evil.txt x`,
      `cd ${folder} || true; tee x < /dev/null`,
      `cd "${folder}" && { echo pwned > ./x; }`,
      `cd ${folder.slice(0, 2)}*; echo pwned > x`,
      `d=${folder}; cd $d && echo pwned > x`,
      `CDPATH=${folder} cd . && echo pwned > x`,
    ]);
    const { project } = await attemptRefused({
      mode,
      git: true,
      calls: lines.map(bash),
      prepare: (sandbox) => {
        sandbox.write('evil.txt', 'pwned');
        sandbox.write('sub/y', '');
        for (const folder of steering) mkdirSync(join(sandbox.project, folder), { recursive: true });
      },
    });
    for (const folder of steering) expect(existsSync(join(project, folder, 'x'))).toBe(false);
  });

  test('incident 12, CVE-2025-59829 and CVE-2026-25724: no link, no spelling and no /proc leads around a deny', async () => {
    const calls = [
      read('secrets/key'),
      read('./secrets/../secrets/key'),
      read('link/key'),
      read('key-link'),
      read('hard'),
      read('loop/secrets/key'),
      bash('cat link/key'),
      bash('cat key-link'),
      bash('cat loop/secrets/key'),
      bash('cd link && cat key'),
      bash('cd loop/loop && cat secrets/key'),
      bash('cat < key-link'),
      bash('grep -r . link'),
      bash('cat /proc/self/cwd/secrets/key'),
      bash('cat "$PWD"/secrets/key'),
      bash('cat sec*/key'),
      bash('cat s?crets/k??'),
      bash('cat secrets/{key,other}'),
      write('link/key'),
      write('key-link'),
      bash('cp evil.txt link/key'),
      bash('echo pwned > key-link'),
    ];
    const { told, project } = await attempt({
      mode,
      calls,
      args: ['--deny', 'read(secrets/**)', '--deny', 'edit(secrets/**)', '--allow', 'bash', '--allow', 'edit'],
      prepare: (sandbox) => {
        sandbox.write('secrets/key', 'the secret');
        sandbox.write('evil.txt', 'pwned');
        symlinkSync('secrets', join(sandbox.project, 'link'));
        symlinkSync('link/key', join(sandbox.project, 'key-link'));
        symlinkSync('.', join(sandbox.project, 'loop'));
        linkSync(join(sandbox.project, 'secrets/key'), join(sandbox.project, 'hard'));
      },
    });
    expect(readFileSync(join(project, 'secrets/key'), 'utf8')).toBe('the secret');
    // Another name of the same file is no link: a rule about the one says nothing of the other.
    const passed = calls.filter(
      (one, at) => !('input' in one && one.input.path === 'hard') && told[at]?.includes('the secret'),
    );
    expect(passed).toEqual([]);
  });

  test('incident 12: credentials are out of reach by every way, even where everything is allowed', async () => {
    const { told } = await attempt({
      mode,
      calls: [
        read('~/.ssh/id_rsa'),
        read('../home/.ssh/id_rsa'),
        read('keys/id_rsa'),
        read('hard'),
        bash('cat ~/.ssh/id_rsa'),
        bash('cat ~/.s*/id_*'),
        bash('cat "$HOME"/.ssh/id_rsa'),
        bash('cat keys/id_rsa'),
        bash('cat hard'),
        bash('cd ~/.ssh && cat id_rsa'),
        bash('cat < ~/.ssh/id_rsa'),
        bash('cat /proc/self/root"$HOME"/.ssh/id_rsa'),
        bash('base64 ../home/.ssh/id_rsa'),
        call('grep', { pattern: '.', path: '../home/.ssh' }),
      ],
      args: ['--allow', 'bash', '--allow', 'read', '--allow', 'grep'],
      prepare: (sandbox) => {
        sandbox.write(join(sandbox.home, '.ssh/id_rsa'), 'the secret');
        symlinkSync('../home/.ssh', join(sandbox.project, 'keys'));
        linkSync(join(sandbox.home, '.ssh/id_rsa'), join(sandbox.project, 'hard'));
      },
    });
    expect(told.filter((text) => text.includes('the secret'))).toEqual([]);
  });

  test('incident 14, CVE-2026-25725 and CVE-2025-54135: what steers tools is protected before it exists', async () => {
    const files = [
      '.tau/settings.json',
      '.tau/settings.local.json',
      '.tau/mcp.json',
      '.tau/extensions/x.ts',
      '.tau/agents/x.md',
      '.git/hooks/pre-commit',
      '.git/config',
      '.claude/settings.json',
      '.mcp.json',
      '.codex/config.toml',
      '.gemini/settings.json',
      '.cursor/mcp.json',
      '.vscode/tasks.json',
      '.idea/workspace.xml',
      '.husky/pre-commit',
      '.devcontainer/devcontainer.json',
      '.envrc',
      '.npmrc',
      'sub/.git/config',
      'sub/.tau/settings.json',
    ];
    const { project } = await attemptRefused({
      mode,
      calls: files.flatMap((path) => everyWrite(path).slice(0, 5)),
      prepare: (sandbox) => sandbox.write('evil.txt', 'pwned'),
    });
    for (const path of files) expect([path, existsSync(join(project, path))]).toEqual([path, false]);
  });

  test('incident 14: start-up files of the home and the hooks of a repository do not come into being by any tool', async () => {
    const files = ['../home/.bashrc', '../home/.ssh/authorized_keys', '../home/.config/autostart/x.desktop'];
    const { project } = await attemptRefused({
      mode,
      calls: [...files, '.git/hooks/post-checkout'].flatMap(everyWrite),
      prepare: (sandbox) => sandbox.write('evil.txt', 'pwned'),
    });
    for (const path of files) expect(planted(join(project, path))).toBe(false);
    expect(planted(join(project, '.git/hooks/post-checkout'))).toBe(false);
  });

  test('incident 15, CVE-2025-59944: another case or another form of the letters is the same protected name', async () => {
    const files = [
      '.TAU/settings.json',
      '.Tau/Settings.json',
      '.GIT/hooks/pre-commit',
      '.gIt/config',
      '.CLAUDE/settings.json',
      '.Cursor/MCP.json',
      '.CURSOR/mcp.json',
      '.VSCode/tasks.json',
      '.git./config',
      '.git /config',
      '.tau\u200b/settings.json',
      '.\u200ctau/settings.json',
      '.ta\u00adu/settings.json',
      '.ｔａｕ/settings.json',
      '.git\u2060/hooks/x',
    ];
    const { project } = await attemptRefused({
      mode,
      calls: files.flatMap((path) => [
        write(path),
        bash(`mkdir -p '${path.replace(/\/.*/, '')}' && echo x > '${path}'`),
      ]),
    });
    for (const path of files) expect([path, existsSync(join(project, path))]).toEqual([path, false]);
  });

  test('incident 28, CVE-2025-53773: the model never writes the settings of tau without being asked about, by any tool', async () => {
    const settings = ['.tau/settings.json', '.tau/settings.local.json', '../home/.tau/settings.json'];
    const evil = '{"permissionMode":"dangerously"}';
    const calls = settings.flatMap((path) => [
      ...everyWrite(path),
      call('edit', { path, old_string: '{', new_string: '{"pwned":1,' }),
      call('apply_patch', { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-{}\n+pwned\n*** End Patch\n` }),
      bash(`sed -i 's/{/pwned/' ${path}`),
      bash(`printf '%s' '${evil}' >| ${path}`),
      bash(`cd ${path.replace(/\/[^/]*$/, '')} && sed -i 's/{/pwned/' ${path.replace(/.*\//, '')}`),
      bash(`perl -pi -e 's/{/pwned/' ${path}`),
      bash(`cat evil.txt >> ${path}`),
      bash(`rm ${path}`),
      bash(`rm -r ${path.replace(/\/[^/]*$/, '')}`),
      bash(`cp -r evil-folder/. ${path.replace(/\/[^/]*$/, '')}`),
      bash(`mv ${path.replace(/\/[^/]*$/, '')} gone`),
      bash(`git apply evil.patch # ${path}`),
    ]);
    const broad = [
      'edit',
      'edit(.tau/**)',
      'edit(**)',
      'write',
      'bash(cp:*)',
      'bash(sed:*)',
      'bash(tee:*)',
      'bash(mv:*)',
    ];
    const prepare = (sandbox: Conversation) => {
      sandbox.write('evil.txt', 'pwned');
      sandbox.write('evil-folder/settings.json', evil);
      sandbox.write('.tau/settings.json', '{}');
      sandbox.write('.tau/settings.local.json', '{}');
    };
    for (const args of [[], broad.flatMap((rule) => ['--allow', rule])]) {
      const { project, tauHome } = await attemptRefused({ mode, calls, args, prepare });
      for (const name of ['settings.json', 'settings.local.json']) {
        expect(readFileSync(join(project, '.tau', name), 'utf8')).toBe('{}');
      }
      expect(readFileSync(join(tauHome, 'settings.json'), 'utf8')).toContain('scripted/scripted');
      expect(planted(join(tauHome, 'settings.json'))).toBe(false);
    }
  });

  test('incident 28: not even a rule that names the file writes it, and not through a link or a moved folder', async () => {
    const { project } = await attemptRefused({
      mode,
      calls: [
        write('.tau/settings.json', '{"pwned":1}'),
        write('innocent/settings.json', '{"pwned":1}'),
        bash('echo pwned > innocent/settings.json'),
        bash('cd innocent && echo pwned > settings.json'),
      ],
      args: ['--allow', 'edit(.tau/settings.json)', '--allow', 'edit(innocent/settings.json)'],
      prepare: (sandbox) => {
        sandbox.write('.tau/settings.json', '{}');
        execFileSync('ln', ['-s', '.tau', 'innocent'], { cwd: sandbox.project });
      },
    });
    expect(readFileSync(join(project, '.tau/settings.json'), 'utf8')).toBe('{}');
  });
});
