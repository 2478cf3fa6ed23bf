/**
 * What the bench runs of the terminal toolkit, in a process of its own: `frames N` draws without a terminal and reports,
 * `echo` and `stream` show what is typed on a real one, anything else only loads the toolkit.
 */
import { createScreen, cursorMarker, startTui } from '../packages/tui/src/index.ts';

// So that all of it is in the bundle, used here or not.
export * from '../packages/tui/src/index.ts';

const frameCount = 500;
const batches = 9;
const [, , what, amount] = process.argv;

if (what === 'frames') frames(Number(amount));
else if (what === 'echo' || what === 'stream') echo(what === 'stream');

/** One line of twelve changes from frame to frame. */
function frames(committed) {
  let bytes = 0;
  const terminal = {
    columns: 100,
    rows: 40,
    write(data) {
      bytes += Buffer.byteLength(data);
    },
  };
  let seconds = 0;
  const still = Array.from(
    { length: 10 },
    (_, at) => `a line of the live region, number ${at}, in \u001b[1mbold\u001b[22m`,
  );
  const root = { render: () => [...still, `working for ${seconds} s, esc to interrupt`, `> ${cursorMarker}`] };
  const capabilities = () => ({ synchronizedOutput: true, reflow: 'exact' });
  const screen = createScreen({ terminal, root, capabilities });
  for (let at = 0; at < committed; at += 100) {
    screen.commit(Array.from({ length: 100 }, (_, line) => `committed line ${at + line}`));
    screen.draw();
  }
  const run = () => {
    for (let frame = 0; frame < frameCount; frame++) {
      seconds = frame % 10;
      screen.draw();
    }
  };
  run();
  bytes = 0;
  const times = [];
  for (let batch = 0; batch < batches; batch++) {
    const begin = process.hrtime.bigint();
    run();
    times.push(Number(process.hrtime.bigint() - begin) / 1e3 / frameCount);
  }
  // The quickest: what else the machine does, and the collector after a hundred thousand lines, is not a frame's cost.
  console.log(JSON.stringify({ microseconds: Math.min(...times), bytes: bytes / batches / frameCount }));
}

function echo(streams) {
  let typed = '';
  const root = {
    render: () => [`> ${typed}${cursorMarker}`, 'footer'],
    handleInput(event) {
      if (event.type === 'key') typed += event.text ?? '';
      return true;
    },
  };
  const tui = startTui({
    root,
    onInput(event) {
      if (event.type !== 'key' || event.key !== 'ctrl+q') return false;
      void tui.stop().then(() => process.exit());
      return true;
    },
  });
  if (streams) setInterval(() => tui.screen.commit(['a streamed line']), 5);
}
