/** Every command there is, in the order of the help. */
import { backgroundCommands } from './background.ts';
import { type CommandWorld, createRegistry, type Registry } from './command.ts';
import { conversationCommands } from './conversation.ts';
import { helpCommand, houseCommands } from './house.ts';
import { permissionCommands } from './permission.ts';
import { projectCommands } from './project.ts';
import { talkingCommands } from './talking.ts';

export function allCommands(): Registry {
  const registry: Registry = createRegistry([
    helpCommand((world) => registry.list(world)),
    ...talkingCommands,
    ...permissionCommands,
    ...conversationCommands,
    ...projectCommands,
    ...backgroundCommands,
    ...houseCommands,
  ]);
  return registry;
}

export async function obey(
  registry: Registry,
  wish: { name: string; argument: string },
  world: CommandWorld,
): Promise<string> {
  return registry.find(wish.name, world).run(wish.argument, world);
}
