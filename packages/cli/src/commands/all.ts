/** Every command there is, in the order of the help. */
import { backgroundCommands } from './background.ts';
import { type Command, type CommandWorld, createRegistry, type Registry } from './command.ts';
import { conversationCommands } from './conversation.ts';
import { helpCommand } from './help.ts';
import { houseCommands } from './house.ts';
import { permissionCommands } from './permission.ts';
import { projectCommands } from './project.ts';
import { talkingCommands } from './talking.ts';

export function allCommands(): Registry {
  const registry: Registry = createRegistry([
    helpCommand((world) => registry.list(world)),
    ...about('The model', talkingCommands),
    ...about('What it may do', permissionCommands()),
    ...about('The conversation', conversationCommands),
    ...about('The project', projectCommands),
    ...about('In the background', backgroundCommands),
    ...about('tau itself', houseCommands),
  ]);
  return registry;
}

function about(group: string, commands: readonly Command[]): Command[] {
  return commands.map((command) => ({ ...command, group }));
}

export async function obey(
  registry: Registry,
  wish: { name: string; argument: string },
  world: CommandWorld,
): Promise<string> {
  return registry.find(wish.name, world).run(wish.argument, world);
}
