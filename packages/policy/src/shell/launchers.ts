/**
 * Programs that start what their words name, and of which no more is known than that: runners of packages, of other
 * versions, of other users, of containers and machines. What they start is never proved by it; rules that ask or deny, and
 * dangers, are looked for in there.
 */
import { once } from '@tau/core';

export interface Launcher extends Omit<Kind, 'names' | 'values' | 'lines'> {
  /** How many words come before the program: a host, a user, a file. */
  operands: number;
  /** Options that take a value; of others that is not known. */
  values: ReadonlySet<string>;
  /** Options whose value is a line for a shell. */
  lines: ReadonlySet<string>;
}

interface Kind {
  /** `name`, `name/verb`, `name/verb+1`: a slash before each verb, a plus before the count of operands. */
  names: string;
  values?: string;
  lines?: string;
  /** Its words are joined and read by a shell. */
  joins?: boolean;
  /** Each of its words may be a line. */
  texts?: boolean;
  /** It starts nothing but such lines. */
  only?: boolean;
  /** Without words it has a shell read what it is given to read. */
  reads?: boolean;
  /** Nobody knows what comes before the program: the first name of one counts. */
  finds?: boolean;
  /** On another machine or in a container: the paths in it are not those of this one. */
  remote?: boolean;
}

const ofContainers =
  '-u --user -w --workdir -e --env --env-file --name -v --volume -p --publish --network --net --entrypoint --mount --ip ' +
  '-h --hostname -l --label -m --memory --cpus --platform --pull --add-host --dns --device --restart --index --detach-keys';
const ofClusters = '-n --namespace -c --container --context --kubeconfig --image --env --cluster --user -f --filename';
const ofHosts = '-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w';
const ofPackages =
  '-p --package -w -C --dir --filter --with --from --python --directory --project --spec -n --name --cwd';
const ofLimits = '-t -w -arch -d -e -N -m -C -l -p -P -n -u';
const ofFilters =
  '--tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter';
const panes =
  'new-session new new-window neww split-window splitw respawn-pane run-shell run send-keys send popup pipe-pane';

const kinds: readonly Kind[] = [
  // Packages, and versions of programs.
  {
    names: 'npx pnpx npm/exec npm/x pnpm/exec pnpm/dlx yarn/exec yarn/dlx yarn/run',
    values: ofPackages,
    lines: '-c --call',
  },
  {
    names: 'bunx bun/x bun/run uvx uv/run uv/tool/run pipx/run poetry/run pipenv/run pdm/run rye/run',
    values: ofPackages,
  },
  { names: 'hatch/run conda/run mamba/run micromamba/run bundle/exec composer/exec rustup/run+1', values: ofPackages },
  { names: 'corepack', finds: true },
  { names: 'mise/exec mise/x rtx/exec nix/develop nix/shell nix/run', lines: '-c --command', finds: true },
  { names: 'asdf/exec pyenv/exec rbenv/exec nodenv/exec goenv/exec volta/run', values: '--node --npm --yarn' },
  {
    names: 'direnv/exec+1 aws-vault/exec+1 chamber/exec+1 op/run doppler/run dotenvx/run',
    values: '-e -c -f --env-file -p',
  },
  { names: 'dotenv cross-env lerna/exec nx/exec turbo/exec rush/x mr/run jj/util/exec', values: '-e -c -v --scope' },
  { names: 'sops/exec-env+1 sops/exec-file+1 foreman/run overmind/run heroku/local:run', joins: true },
  { names: 'nix-shell repo/forall', values: '-p -A -r', lines: '-c --run --command', finds: true },
  { names: 'watchexec reflex cargo/watch', values: '-w -e -d -i -r -p -x', lines: '-s --shell', texts: true },
  {
    names: 'nodemon concurrently hyperfine',
    values: '-w -m -M -r -n -p',
    lines: '-x --exec -c --prepare --setup',
    texts: true,
  },
  { names: 'git/bisect/run git/submodule/foreach', joins: true },
  { names: 'git/rebase git/filter-branch', lines: `-x --exec --setup ${ofFilters}`, only: true },
  // Other rights, other limits, other surroundings.
  { names: 'runuser', lines: '-c --command --session-command', values: '-u --user -g --group -s --shell' },
  { names: 'gosu+1 su-exec+1 s6-setuidgid+1 setarch+1 faketime+1 envdir+1 setlock+1 sg+1', lines: '-c' },
  {
    names: 'fakechroot fakeroot setpriv with-contenv tini dumb-init catchsegv unbuffer eatmydata',
    values: '--reuid --regid',
  },
  { names: 'capsh expect bpftrace', lines: '-c', only: true },
  // What `expect` starts something by.
  { names: 'spawn' },
  { names: 'chpst softlimit s6-env caffeinate arch linux32 linux64 i386', values: ofLimits },
  { names: 'numactl cpulimit choom prlimit uclampset trickle', values: ofLimits },
  {
    names: 'rlwrap winpty xvfb-run dbus-run-session dbus-launch systemd-inhibit',
    values: '-s -e -f -n -p --server-args',
  },
  { names: 'ssh-agent chronic ifne retry run-one', values: '-t -a -n -d --tries' },
  {
    names: 'systemd-run daemonize start-stop-daemon firejail proot bwrap',
    values: '-p -u -x -c -d -r -b -w',
    finds: true,
  },
  { names: 'proxychains proxychains4 torsocks tsocks', values: '-f' },
  {
    names: 'ltrace valgrind gdb lldb heaptrack perf/record perf/stat perf/trace rr/record uftrace/record',
    values: '-e -o -p -n -F -u -l -a -s',
  },
  { names: 'entr', joins: true },
  { names: panes.replace(/^| /g, ' tmux/').trim(), values: '-s -t -c -n -x -y -e -F -l', joins: true },
  { names: 'screen', values: '-S -t -h -p -c -s -T -r -x -R' },
  { names: 'wsl cmd cmd.exe powershell pwsh', lines: '-c -Command -command /c /C', values: '-d -u', joins: true },
  // At a later time.
  { names: 'at batch', reads: true, only: true },
  // Other machines.
  { names: 'ssh+1 autossh+1 mosh+1 plink+1 rsh+1', values: `${ofHosts} -M`, joins: true, reads: true, remote: true },
  { names: 'sshpass', values: '-p -f -d -P' },
  {
    names: 'vagrant/ssh gcloud/compute/ssh+1 fly/ssh/console flyctl/ssh/console colima/ssh',
    lines: '-c --command -C',
    values: '--zone --project -a',
    joins: true,
    remote: true,
  },
  {
    names: 'pdsh pssh parallel-ssh clush adb/shell heroku/run ansible+1',
    lines: '-a --args',
    values: '-w -H -h -l -g -m -i -s',
    joins: true,
    remote: true,
  },
  {
    names: 'docker/exec+1 docker/container/exec+1 docker/run+1 docker/container/run+1',
    values: ofContainers,
    remote: true,
  },
  {
    names: 'docker/compose/exec+1 docker/compose/run+1 docker-compose/exec+1 docker-compose/run+1',
    values: ofContainers,
    remote: true,
  },
  {
    names: 'podman/exec+1 podman/run+1 podman/container/exec+1 nerdctl/exec+1 nerdctl/run+1',
    values: ofContainers,
    remote: true,
  },
  { names: 'kubectl/exec+1 kubectl/run+1 oc/exec+1 oc/rsh+1 nomad/alloc/exec+1', values: ofClusters, remote: true },
  {
    names: 'lxc/exec+1 incus/exec+1 lxc-attach machinectl/shell+1 systemd-nspawn',
    values: '-n -D -M -c -u',
    remote: true,
  },
  {
    names: 'toolbox/run distrobox/enter+1 distrobox-enter+1 flatpak-spawn flatpak/run+1 multipass/exec+1',
    values: '-c -n',
    remote: true,
  },
  {
    names: 'limactl/shell+1 singularity/exec+1 apptainer/exec+1 devcontainer/exec',
    values: '--workspace-folder',
    remote: true,
  },
];

interface Way {
  /** As in `names`. */
  written: string;
  kind: Kind;
}

/** By name. */
const ways = once(waysByName);

function waysByName(): ReadonlyMap<string, readonly Way[]> {
  const all = new Map<string, Way[]>();
  for (const kind of kinds) {
    for (const written of kind.names.split(' ')) {
      const name = nameIn(written);
      const known = all.get(name);
      if (known) known.push({ written, kind });
      else all.set(name, [{ written, kind }]);
    }
  }
  return all;
}

function nameIn(written: string): string {
  const end = written.search(/[/+]/);
  return end < 0 ? written : written.slice(0, end);
}

function verbIn(written: string): readonly string[] {
  return written
    .replace(/\+\d+$/, '')
    .split('/')
    .slice(1);
}

/** False is certain: nothing in the text starts something by a line. */
export function mayHoldLine(text: string): boolean {
  const words = new Set(text.split(/[^\w.:-]+/));
  return [...words].some((word) =>
    ways()
      .get(word)
      ?.some(({ written }) => verbIn(written).every((verb) => words.has(verb))),
  );
}

/** The way in which these words start something, and where the rest of them begins. */
export function launcherOf(
  name: string,
  words: readonly (string | undefined)[],
): { launcher: Launcher; at: number } | undefined {
  for (const { written, kind } of ways().get(name) ?? []) {
    const at = afterVerb(verbIn(written), words);
    if (at !== undefined) return { launcher: launcherFrom(written, kind), at };
  }
  return undefined;
}

function launcherFrom(written: string, { names, values = '', lines = '', ...kind }: Kind): Launcher {
  const operands = Number(/\+(\d+)$/.exec(written)?.[1] ?? 0);
  return { ...kind, operands, values: new Set(values.split(' ')), lines: new Set(lines.split(' ')) };
}

/** Before a verb, and between two of them, there are only options and what may be their values. */
function afterVerb(verb: readonly string[], words: readonly (string | undefined)[]): number | undefined {
  let at = 1;
  for (const wanted of verb) {
    for (; words[at] !== wanted; at++) {
      const isOption = words[at]?.startsWith('-') === true;
      const isValue = words[at] !== undefined && at > 1 && words[at - 1]?.startsWith('-') === true;
      if (!isOption && !isValue) return undefined;
    }
    at++;
  }
  return at;
}
