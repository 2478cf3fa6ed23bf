/** The last lines of the screen: where, with which model, how full, at what price, and what may happen without asking. */
import { homedir } from 'node:os';
import { type Agent, describeApproval, type PermissionMode } from '@tau/agent';
import { type Component, cut, cutMiddle, printableLine, type Role, type Theme, widthOf } from '@tau/tui';
import { type Meter, thousands } from './around/meter.ts';

export interface FooterWorld {
  agent: Pick<Agent, 'model' | 'thinking' | 'permissionMode' | 'approval' | 'sandbox'>;
  cwd: string;
  branch(): string | undefined;
  meter: Omit<Meter, 'event' | 'reset'>;
  /** Said for a moment, in the first line's place. */
  status(): string | undefined;
  /** What a command of the user's prints, in the first line's place. */
  own(width: number): readonly string[] | undefined;
  /** Why the mode is the one it is, where nobody has chosen it. */
  why(): string | undefined;
  /** Questions that wait behind something else that is open. */
  asks(): number;
  /** What extensions say on how they stand. */
  statuses(): readonly { text: string }[];
  /** Commands that run in the background. */
  jobs(): number;
}

const modeRoles: Readonly<Record<PermissionMode, Role>> = {
  default: 'modeDefault',
  acceptEdits: 'modeAcceptEdits',
  trustProject: 'modeTrustProject',
  plan: 'modePlan',
  auto: 'modeAuto',
  dontAsk: 'modeDontAsk',
  dangerously: 'modeDangerously',
};

/** From where on the context is told in the colour of a warning, and of an error. */
const [nearlyFull, full] = [0.7, 0.9];

export function createFooter(world: FooterWorld, theme: Theme): Component {
  const muted = (text: string) => theme.paint('footerText', text);
  const join = (parts: readonly string[]) => parts.join(muted(' · '));
  return {
    render(width) {
      const asks = world.asks();
      const said = world.status();
      const own = said === undefined ? world.own(width) : undefined;
      const usual = own ?? [sides(place(world, theme, width), join([modelText(world.agent, theme)]), width)];
      const first =
        asks > 0
          ? [cut(theme.paint('askTitle', `? ${waitingText(asks)}: close this to answer`), width)]
          : said === undefined
            ? usual
            : [cut(theme.paint('footerAccent', printableLine(said)), width)];
      const statuses = world.statuses().map(({ text }) => theme.paint('footerText', printableLine(text)));
      const more = statuses.length === 0 ? [] : [cut(join(statuses), width)];
      return [...first, ...more, modeLine(world, theme, width, join)];
    },
  };
}

function waitingText(asks: number): string {
  return asks === 1 ? 'tau waits for your answer' : `tau waits for ${asks} answers`;
}

/** Why the mode is so is told where there is room for it beside what matters more. */
function modeLine(world: FooterWorld, theme: Theme, width: number, join: (parts: readonly string[]) => string): string {
  const usage = usageParts(world.meter, theme);
  const whole = modeParts(world, theme, world.why());
  const last = usage.at(-1);
  const isRoomy = widthOf(join(whole)) + (last === undefined ? 0 : widthOf(last) + 2) <= width;
  return fitting(isRoomy ? whole : modeParts(world, theme, undefined), usage, width, join);
}

/** Of the right what stands first gives way, then the left, and the last of the right only where nothing else is left. */
function fitting(
  left: readonly string[],
  right: readonly string[],
  width: number,
  join: (parts: readonly string[]) => string,
): string {
  const fits = (beside: readonly string[]) => widthOf(join(kept)) <= width - widthOf(join(beside)) - 2;
  let kept = right;
  while (kept.length > 1 && !fits(left)) kept = kept.slice(1);
  if (!fits(left.slice(0, 1))) kept = [];
  return sides(join(left), join(kept), width);
}

function sides(left: string, right: string, width: number): string {
  const room = width - (right === '' ? 0 : widthOf(right) + 2);
  if (room < 6) return cut(right === '' ? left : right, width);
  const start = cut(left, room);
  return right === '' ? start : `${start}${' '.repeat(width - widthOf(start) - widthOf(right))}${right}`;
}

function place({ cwd, branch }: FooterWorld, theme: Theme, width: number): string {
  const home = homedir();
  const short = cwd === home ? '~' : cwd.startsWith(`${home}/`) ? `~${cwd.slice(home.length)}` : cwd;
  const where = theme.paint('footerText', cutMiddle(printableLine(short), Math.max(12, Math.floor(width / 2))));
  const on = branch();
  return on === undefined ? where : `${where} ${theme.paint('footerAccent', `⎇ ${cut(printableLine(on), 30)}`)}`;
}

function modelText({ model, thinking }: FooterWorld['agent'], theme: Theme): string {
  const how = thinking === undefined ? '' : ` · ${thinking}`;
  return theme.paint('footerText', printableLine(`${model.provider}/${model.id}${how}`));
}

function modeParts({ agent, jobs }: FooterWorld, theme: Theme, reason: string | undefined): string[] {
  const { permissionMode, approval, sandbox } = agent;
  const mode = reason === undefined ? permissionMode : `${permissionMode} (${reason})`;
  const count = jobs();
  return [
    theme.paint(modeRoles[permissionMode], mode),
    ...(approval.policy === 'ask' ? [] : [theme.paint('warning', `approve ${describeApproval(approval)}`)]),
    sandbox.on ? theme.paint('footerText', 'sandbox') : theme.paint('warning', 'no sandbox'),
    ...(count > 0 ? [theme.paint('footerAccent', `${count} in background`)] : []),
  ];
}

/** What matters most stands last: it is the last to give way. */
function usageParts({ context, window, input, output, cost }: FooterWorld['meter'], theme: Theme): string[] {
  if (context === 0) return [];
  const muted = (text: string) => theme.paint('footerText', text);
  return [
    muted(`↑${thousands(input)} ↓${thousands(output)}`),
    ...(cost > 0 ? [muted(`$${cost.toFixed(cost < 1 ? 3 : 2)}`)] : []),
    window === undefined ? muted(`${thousands(context)} in context`) : fullness(context, window, theme),
  ];
}

function fullness(context: number, window: number, theme: Theme): string {
  const share = context / window;
  const role = share >= full ? 'usageHigh' : share >= nearlyFull ? 'usageMedium' : 'usageLow';
  return theme.paint(role, `${Math.round(share * 100)} %`) + theme.paint('footerText', ` of ${thousands(window)}`);
}
