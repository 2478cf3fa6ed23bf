/**
 * The system calls that a contained command does without: those that change what the file system or the machine looks
 * like, look into other processes, or have a long history of holes. They fail with EPERM as if the right were missing;
 * nothing is killed.
 */
import { allow, assemble, type Machine, notify, refuse, type Step } from './bpf.ts';

type Name = keyof typeof refusedCalls;

/** Number on x86-64 and on arm64; undefined where there is no such call. */
const refusedCalls = {
  // What the file system looks like.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  open_by_handle_at: [304, 265],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  fanotify_init: [300, 262],
  // Other namespaces; `clone` is looked at by its flags.
  unshare: [272, 97],
  setns: [308, 268],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  // Keys that the kernel keeps for the user.
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  // Parts of the kernel that take programs, or do work that no filter sees.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // The machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, undefined],
  ioperm: [173, undefined],
  modify_ldt: [154, undefined],
  // Long dead, and still there.
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  uselib: [134, undefined],
  ustat: [136, undefined],
  sysfs: [139, undefined],
  _sysctl: [156, undefined],
  create_module: [174, undefined],
  get_kernel_syms: [177, undefined],
  query_module: [178, undefined],
} as const;

const lookedAt = {
  clone: [56, 220],
  clone3: [435, 435],
  socket: [41, 198],
  connect: [42, 203],
  ioctl: [16, 29],
  personality: [135, 92],
} as const;

interface Known extends Machine {
  index: 0 | 1;
}

const machines: ReadonlyMap<string, Known> = new Map([
  ['x64', { audit: 0xc000_003e, foreignFrom: 0x4000_0000, index: 0 }],
  ['arm64', { audit: 0xc000_00b7, index: 1 }],
]);

export function knownMachine(arch: string): Known | undefined {
  return machines.get(arch);
}

const EPERM = 1;
const ENOSYS = 38;

const newNamespaces = 0x7e02_0000;
const family = { netlink: 16 };
const families: readonly number[] = [1, 2, 10];
const routeProtocol = 0;
const socketType = 0xf;
const rawTypes: readonly number[] = [3, 10];
const internet: readonly number[] = [2, 10];
/** Types into a terminal as if a person had. */
const typingInto: readonly number[] = [0x5412, 0x541c];
/** How a program wants the kernel to behave: as Linux does, 32 bits, an old version number, and the question what it is. */
const personalities: readonly number[] = [0, 8, 0x2_0000, 0x2_0008, 0xffff_ffff];

/**
 * Of the refused calls, those that developers' programs make: debuggers, `ping`, browsers with a sandbox of their own. A
 * witness refuses them in the filter's place, and so can tell. For most of them the kernel wants rights besides, which
 * nobody has inside.
 */
const tellable: ReadonlySet<string> = new Set<Name | keyof typeof lookedAt>([
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'open_by_handle_at', 'fanotify_init', 'unshare', 'setns'] as const),
  ...(['ptrace', 'bpf', 'perf_event_open', 'sethostname', 'settimeofday', 'clock_settime', 'syslog'] as const),
  ...(['clone', 'socket'] as const),
]);

export interface CallFilters {
  /** Refuses all of them. */
  all: Buffer;
  /** Leaves to a witness what it can tell. */
  rest: Buffer;
  /** For what is proved to only read: it connects to nobody either. */
  reads: Buffer;
}

/** Undefined for a machine whose calls are not known here. */
export function callFilters(arch: string): CallFilters | undefined {
  const machine = machines.get(arch);
  if (!machine) return undefined;
  const made = (steps: readonly NamedStep[]) => assemble(machine, steps, allow, refuse(EPERM));
  const steps = refusals(machine, refuse(EPERM));
  const connect: NamedStep = { name: 'connect', calls: [lookedAt.connect[machine.index]], verdict: refuse(EPERM) };
  return {
    all: made(steps),
    rest: made(steps.filter(({ name }) => !tellable.has(name))),
    reads: made([...steps, connect]),
  };
}

/** What a witness is asked about, to refuse it: the steps of its filter, and the names of the calls by their numbers. */
export function toldCalls(machine: Known): { steps: readonly Step[]; names: ReadonlyMap<number, string> } {
  const steps = refusals(machine, notify).filter(({ name }) => tellable.has(name));
  return { steps, names: new Map(steps.flatMap(({ name, calls }) => calls.map((number) => [number, name] as const))) };
}

interface NamedStep extends Step {
  name: string;
}

function refusals({ index }: Known, verdict: number): NamedStep[] {
  const on = (name: keyof typeof lookedAt) => ({ name, calls: [lookedAt[name][index]] });
  const plain = Object.entries(refusedCalls).flatMap(([name, { [index]: number }]) =>
    number === undefined ? [] : [{ name, calls: [number], verdict }],
  );
  return [
    { ...on('clone'), tests: [{ argument: 0, is: 'some', value: newNamespaces }], verdict },
    // Its flags are in memory, where no filter sees them. Who is told that it does not exist takes `clone`.
    { ...on('clone3'), verdict: refuse(ENOSYS) },
    ...internet.flatMap((value) =>
      rawTypes.map(
        (raw): NamedStep => ({
          ...on('socket'),
          tests: [
            { argument: 0, is: 'equal', value },
            { argument: 1, is: 'masked', mask: socketType, value: raw },
          ],
          verdict,
        }),
      ),
    ),
    {
      ...on('socket'),
      tests: [...families, family.netlink].map((value) => ({ argument: 0, is: 'other', value }) as const),
      verdict,
    },
    {
      ...on('socket'),
      tests: [
        { argument: 0, is: 'equal', value: family.netlink },
        { argument: 2, is: 'other', value: routeProtocol },
      ],
      verdict,
    },
    ...typingInto.map(
      (value): NamedStep => ({ ...on('ioctl'), tests: [{ argument: 1, is: 'equal', value }], verdict }),
    ),
    {
      ...on('personality'),
      tests: personalities.map((value) => ({ argument: 0, is: 'other', value }) as const),
      verdict,
    },
    ...plain,
  ];
}

/** The number of a refused call, for those who test that it is refused. */
export function refusedNumber(name: Name, arch: string): number | undefined {
  const machine = machines.get(arch);
  return machine && refusedCalls[name][machine.index];
}
