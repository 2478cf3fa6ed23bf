/** Programs about processes: which only look, which end or start others. */
import { describe, expect, test } from 'vitest';
import { judge } from './judging.ts';

test.each([
  'ps',
  'ps aux',
  'ps -ef',
  'ps -e -o pid,ppid,%cpu,comm= --sort=-rss',
  'ps -p 123 -o args',
  'ps -u me -f',
  'pgrep -fl node',
  'pgrep -u me -x node',
  'pidof node',
  'pstree -p',
  'jobs -l',
  'wait',
  'ulimit -a',
  'ulimit -n',
  'kill -l',
  'crontab -l',
])('%s only looks', (line) => {
  expect(judge(line)).toEqual({ class: 'read-only', known: true, effects: [] });
});

test.each([
  ['the environment is shown', 'ps e'],
  ['the environment is shown in a bundle', 'ps auxe'],
  ['the environment is shown in a bundle with a dash', 'ps -auxe'],
  ['the environment is shown on macOS', 'ps -E'],
  ['the environment is shown after a value', 'ps -C ax e'],
  ['the environment is a column', 'ps -o pid,environ'],
  ['a value may be an option elsewhere', 'ps -C -E'],
  ['a word is not known', 'ps $X'],
  ['a file is read', 'pgrep -F file'],
  ['a dying program leaves a file', 'ulimit -c unlimited'],
  ['a command is run', 'jobs -x rm a'],
  ['names are looked up in the network', 'lsof -i'],
  ['a pager is started', 'systemctl status x'],
  ['it never ends', 'top'],
])('%s: %s is not known', (_power, line) => {
  expect(judge(line).known).toBe(false);
});

test.each([
  'kill 123',
  'kill -9 123',
  'kill %1',
  'kill -1',
  'kill $X',
  'pkill node',
  'pkill -USR1 node',
  'pkill -u me node',
  'killall node',
  'bg',
  'tmux ls',
  'systemctl restart x',
  'systemctl status x',
  'service x start',
])('%s steers processes', (line) => {
  const finding = judge(line);
  expect(finding).toMatchObject({ class: 'process-control', known: false });
  expect(finding).not.toHaveProperty('danger');
});

describe.each([
  [
    'it ends processes that nobody named',
    [
      'kill 1',
      'kill -9 1',
      'kill -9 -1',
      'kill -- -1',
      'kill -s KILL -- -1',
      'kill 0',
      'kill -9 123 -1',
      'pkill -u me',
      'pkill -f .',
      'killall -u me',
      'killall5',
    ],
  ],
  ['it stops the machine', ['shutdown now', 'reboot', 'poweroff', 'init 0', 'systemctl reboot', '/sbin/reboot']],
  [
    'it stops or takes away a service of this machine',
    ['systemctl stop x', 'systemctl --user disable x', 'systemctl mask x', 'service x stop', 'launchctl unload x'],
  ],
  [
    'it leaves something that runs later',
    [
      'crontab file',
      'crontab -',
      'crontab -e',
      'at now',
      'batch',
      'systemctl enable x',
      'systemd-run x',
      'launchctl load x',
    ],
  ],
  ['it removes everything that is to run later', ['crontab -r']],
] as const)('%s', (danger, lines) => {
  test.each(lines)('%s', (line) => {
    expect(judge(line)).toMatchObject({ known: false, danger });
  });
});
