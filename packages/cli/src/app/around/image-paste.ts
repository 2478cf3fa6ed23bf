/** An image in the clipboard, as a file of its own that a prompt can mention. The files are gone when the conversation is left. */
import { promises } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TauError } from '@tau/agent';
import type { Capabilities } from '@tau/tui';
import { runProgram } from './program.ts';

export interface ImagePasteOptions {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  capabilities(): Pick<Capabilities, 'remote'>;
}

export interface ImagePaste {
  /** The path of a new file with it. Throws a `TauError` that says why there is none. */
  take(): Promise<string>;
  close(): Promise<void>;
}

interface Source {
  name: string;
  args: readonly string[];
  /** It prints the bytes as digits: `«data PNGf89504E…»`. */
  inDigits?: boolean;
}

/** In the order in which they are tried. That of macOS was not run. */
function imageSources({ env, platform }: Pick<ImagePasteOptions, 'env' | 'platform'>): Source[] {
  if (platform === 'darwin') {
    return [{ name: 'osascript', args: ['-e', 'get the clipboard as «class PNGf»'], inDigits: true }];
  }
  return [
    ...(env.WAYLAND_DISPLAY ? [{ name: 'wl-paste', args: ['--no-newline', '--type', 'image/png'] }] : []),
    ...(env.DISPLAY ? [{ name: 'xclip', args: ['-selection', 'clipboard', '-t', 'image/png', '-o'] }] : []),
  ];
}

const waitMs = 5000;
const maxBytes = 20 * 1024 * 1024;
const pngStart = '\u0089PNG\r\n\u001a\n';

export function createImagePaste(options: ImagePasteOptions): ImagePaste {
  let folder: Promise<string> | undefined;
  let count = 0;

  async function bytes(): Promise<Buffer> {
    if (options.capabilities().remote) {
      throw new TauError('usage', 'The clipboard is on the machine you sit at, and tau runs on another', {
        remedy: 'Copy the file here and name it with @',
      });
    }
    const sources = imageSources(options);
    for (const { name, args, inDigits } of sources) {
      const { env } = options;
      const { code, output } = await runProgram(name, args, { env, waitMs, maxOutput: 2 * maxBytes, inBytes: true });
      if (code !== 0) continue;
      const image = inDigits ? Buffer.from(/«?data PNGf([0-9A-F]+)/.exec(output)?.[1] ?? '', 'hex') : output;
      const found = typeof image === 'string' ? Buffer.from(image, 'latin1') : image;
      if (found.length > maxBytes) throw new TauError('usage', 'The image in the clipboard is larger than 20 MB');
      if (found.toString('latin1', 0, pngStart.length) === pngStart) return found;
    }
    const remedy =
      sources.length === 0 ? 'No clipboard is known here; name a file with @' : 'Copy one, or name a file with @';
    throw new TauError('usage', 'There is no image in the clipboard', { remedy });
  }

  return {
    async take() {
      const image = await bytes();
      folder ??= promises.mkdtemp(join(options.env.TMPDIR || tmpdir(), 'tau-paste-'));
      count += 1;
      const path = join(await folder, `image-${count}.png`);
      await promises.writeFile(path, image, { mode: 0o600, flag: 'wx' });
      return path;
    },
    async close() {
      // What cannot be removed is in the temp folder: whoever clears that clears it.
      if (folder) await promises.rm(await folder, { recursive: true, force: true }).catch(() => {});
    },
  };
}
