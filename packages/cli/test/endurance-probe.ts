/**
 * A program that embeds tau and has many conversations in one process, looking after each at what is left: the heap after
 * a collection, and open files. Run with --expose-gc and a JSON of its task; prints a JSON list of its looks.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { createAgent } from '@tau/agent';

interface Task {
  cwd: string;
  home: string;
  conversations: number;
  /** That each conversation is to have; what it has is checked. */
  turns: number;
  session: 'none' | 'new';
  /** Looks also after so many turns of a conversation. */
  every?: number;
}

const { cwd, home, conversations, turns, session, every }: Task = JSON.parse(process.argv[2] ?? '');
const env = { HOME: home, PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, TAU_SANDBOX_ENABLED: 'false' };
const looks: { heap: number; files: number; sockets: number }[] = [];

function look(): void {
  if (!gc) throw new Error('run it with --expose-gc');
  // Twice: what finalizers let go of in the first is taken by the second.
  gc();
  gc();
  const open = readdirSync('/proc/self/fd').map(target);
  const sockets = open.filter((name) => name.startsWith('socket:')).length;
  looks.push({ heap: process.memoryUsage().heapUsed, files: open.length - sockets, sockets });
}

/** What a descriptor leads to; the one that lists them is gone by now. */
function target(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}

for (let number = 0; number < conversations; number++) {
  const agent = await createAgent({ cwd, env, session, permissionMode: 'dangerously' });
  agent.subscribe(
    (event) => {
      if (event.type === 'turn_end' && every !== undefined && event.turn % every === 0) look();
    },
    { deltas: false },
  );
  const { reason, turns: had } = await agent.prompt('go').outcome;
  await agent.close();
  if (reason !== 'done' || had !== turns + 1) throw new Error(`${had} turns, ended with ${reason}`);
  // What ends with the conversation may end a moment later.
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (every === undefined) look();
}
process.stdout.write(JSON.stringify(looks));
