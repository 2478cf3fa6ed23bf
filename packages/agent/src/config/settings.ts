/**
 * The user's `settings.json`. A bad field is a warning with its place in the file and the default stands in, except for
 * the permission settings: a guard that cannot be read stops tau instead of being left out.
 */
import { permissionModes, TauError } from '@tau/core';
import * as z from 'zod/mini';
import { type JsonFile, locate } from './jsonc.ts';

const positive = z.number().check(z.positive());
const rules = z.optional(z.array(z.string()));

const fields = {
  model: z.optional(z.string()),
  permissionMode: z.optional(z.enum(permissionModes)),
  permissions: z.optional(z.strictObject({ allow: rules, ask: rules, deny: rules })),
  limits: z.optional(
    z.strictObject({
      /** Calls of one message that may run at the same time. */
      parallelTools: z.optional(z.int().check(z.positive())),
      /** Characters of one tool result that reach the model. */
      resultChars: z.optional(z.int().check(z.positive())),
      /** What `bash` waits for a command when the model does not say. */
      bashTimeoutSecs: z.optional(positive),
      /** How long a provider may stay silent. */
      modelIdleSecs: z.optional(positive),
    }),
  ),
};
const settingsSchema = z.strictObject(fields);

export type Settings = z.infer<typeof settingsSchema>;

const guards = new Set<PropertyKey | undefined>(['permissionMode', 'permissions']);

export async function parseSettings(file: JsonFile): Promise<{ settings: Settings; warnings: string[] }> {
  const whole = settingsSchema.safeParse(file.value);
  if (whole.success) return { settings: whole.data, warnings: [] };
  if (typeof file.value !== 'object' || file.value === null || Array.isArray(file.value)) {
    throw new TauError('configuration', `${file.path}:1:1: settings must be an object`);
  }
  const warnings: string[] = [];
  const dropped = new Set<string>();
  for (const issue of whole.error.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of unknown) {
      const text = `${file.path}:${await locate(file, path)}: ${path.join('.')}: ${problem(issue)}`;
      if (guards.has(path[0]))
        throw new TauError('configuration', text, { remedy: 'A permission setting must be right' });
      warnings.push(`${text}, ignored`);
      dropped.add(String(path[0]));
    }
  }
  const rest = Object.fromEntries(Object.entries(file.value).filter(([key]) => !dropped.has(key)));
  return { settings: settingsSchema.parse(rest), warnings };
}

function problem(issue: { code: string; message: string }): string {
  return issue.code === 'unrecognized_keys' ? 'no such setting' : issue.message;
}
