/**
 * What text can be. The list is the theme file's vocabulary: each role with the role it looks like when a theme leaves
 * it out, and what it is for. docs/themes.md and the schema of theme files are made from it.
 */

/** `text` is read, `line` is drawn around or beside text, `ground` is a background. */
type Part = 'text' | 'line' | 'ground';
type Row = readonly [role: string, part: Part, like: string | undefined, meaning: string];

const table = [
  ['text', 'text', undefined, 'Ordinary text.'],
  ['muted', 'text', 'text', 'Text beside the point: hints, times, counts.'],
  ['accent', 'text', 'text', 'What the eye should find first.'],
  ['title', 'text', 'accent', 'The title of a list, a card or a viewer.'],
  ['label', 'text', 'muted', 'The name before a value.'],
  ['link', 'text', 'accent', 'A link.'],
  ['path', 'text', 'accent', 'The name of a file or folder.'],
  ['key', 'text', 'accent', 'A key to press.'],
  ['keyHint', 'text', 'muted', 'What the key does.'],
  ['placeholder', 'text', 'muted', 'Stands where text is expected.'],
  ['ghostText', 'text', 'muted', 'A suggestion behind the cursor.'],
  ['disabled', 'text', 'muted', 'What cannot be chosen now.'],
  ['match', 'text', 'accent', 'Letters that a filter found.'],
  ['searchMatch', 'text', 'selection', 'A place that a search found.'],
  ['searchCurrent', 'text', 'searchMatch', 'The place where the search stands.'],
  ['selection', 'text', 'accent', 'The chosen line of a list, chosen text.'],
  ['selectionBg', 'ground', undefined, 'Behind the chosen line.'],
  ['badge', 'text', 'accent', 'A small mark beside a name.'],
  ['overlayBg', 'ground', undefined, 'Behind an overlay.'],

  ['border', 'line', 'muted', 'Lines around boxes.'],
  ['borderMuted', 'line', 'border', 'Lines that should hardly be seen.'],
  ['borderAccent', 'line', 'accent', 'The line around what has the focus.'],
  ['scrollbar', 'line', 'muted', 'Where a view stands in its text.'],
  ['progress', 'line', 'accent', 'The part of a bar that is done.'],
  ['progressRest', 'line', 'borderMuted', 'The part of a bar that is not.'],
  ['spinner', 'text', 'accent', 'Work goes on.'],

  ['success', 'text', 'text', 'It worked.'],
  ['warning', 'text', 'text', 'Look before you go on.'],
  ['error', 'text', 'warning', 'It failed.'],
  ['info', 'text', 'accent', 'Good to know.'],
  ['successBg', 'ground', undefined, 'Behind what worked.'],
  ['warningBg', 'ground', undefined, 'Behind a warning.'],
  ['errorBg', 'ground', undefined, 'Behind what failed.'],
  ['infoBg', 'ground', undefined, 'Behind a note.'],

  ['editorText', 'text', 'text', 'What was typed.'],
  ['editorPrompt', 'text', 'accent', 'The mark before the first line.'],
  ['editorBorder', 'line', 'border', 'The line around the editor.'],
  ['editorSelection', 'text', 'selection', 'Text chosen in the editor.'],
  ['editorPaste', 'text', 'muted', 'The mark that stands for a long paste.'],
  ['editorMention', 'text', 'path', 'A file named with @.'],
  ['editorCommand', 'text', 'accent', 'A command with its slash.'],
  ['bashMode', 'text', 'warning', 'The editor while a line goes to the shell.'],
  ['bashModeQuiet', 'text', 'muted', 'The same, when the model will not see the output.'],
  ['vimNormal', 'text', 'info', 'The name of this mode of vim.'],
  ['vimInsert', 'text', 'success', 'The name of this mode of vim.'],
  ['vimVisual', 'text', 'warning', 'The name of this mode of vim.'],

  ['thinkingText', 'text', 'muted', 'What the model thinks.'],
  ['thinkingOff', 'line', 'borderMuted', 'The editor border while the model does not think first.'],
  ['thinkingMinimal', 'line', 'thinkingOff', 'The same, at this level.'],
  ['thinkingLow', 'line', 'thinkingMinimal', 'The same, at this level.'],
  ['thinkingMedium', 'line', 'thinkingLow', 'The same, at this level.'],
  ['thinkingHigh', 'line', 'thinkingMedium', 'The same, at this level.'],
  ['thinkingMax', 'line', 'thinkingHigh', 'The same, at this level.'],

  ['userMessageText', 'text', 'text', 'What the user said.'],
  ['userMessageBg', 'ground', undefined, 'Behind what the user said.'],
  ['assistantText', 'text', 'text', 'What the model said.'],
  ['noticeText', 'text', 'muted', 'What the program says of itself.'],
  ['queuedText', 'text', 'muted', 'What waits to be sent.'],
  ['customMessageLabel', 'text', 'label', 'Who sent a message of an extension.'],
  ['customMessageText', 'text', 'text', 'A message of an extension.'],
  ['customMessageBg', 'ground', 'userMessageBg', 'Behind a message of an extension.'],

  ['toolTitle', 'text', 'title', 'The name of a tool.'],
  ['toolInput', 'text', 'accent', 'What a tool was given.'],
  ['toolOutput', 'text', 'muted', 'What a tool gave back.'],
  ['toolPending', 'text', 'muted', 'The mark of a tool that runs.'],
  ['toolSuccess', 'text', 'success', 'The mark of a tool that ended well.'],
  ['toolError', 'text', 'error', 'The mark of a tool that failed.'],
  ['toolPendingBg', 'ground', undefined, 'Behind a tool that runs.'],
  ['toolSuccessBg', 'ground', 'successBg', 'Behind a tool that ended well.'],
  ['toolErrorBg', 'ground', 'errorBg', 'Behind a tool that failed.'],
  ['lineNumber', 'text', 'muted', 'Numbers of lines.'],

  ['diffAdded', 'text', 'success', 'A line that came.'],
  ['diffRemoved', 'text', 'error', 'A line that went.'],
  ['diffContext', 'text', 'muted', 'A line that stayed.'],
  ['diffAddedBg', 'ground', undefined, 'Behind a line that came.'],
  ['diffRemovedBg', 'ground', undefined, 'Behind a line that went.'],
  ['diffAddedWord', 'text', 'diffAdded', 'The part of the line that is new.'],
  ['diffRemovedWord', 'text', 'diffRemoved', 'The part of the line that is gone.'],
  ['diffHunk', 'text', 'info', 'Where in the file the lines are.'],
  ['diffFile', 'text', 'path', 'Which file it is.'],
  ['diffLineNumber', 'text', 'lineNumber', 'Numbers of lines in a diff.'],

  ['markdownHeading', 'text', 'title', 'A heading.'],
  ['markdownStrong', 'text', 'text', 'Strong text.'],
  ['markdownEmphasis', 'text', 'text', 'Emphasised text.'],
  ['markdownStrike', 'text', 'muted', 'Text that is struck out.'],
  ['markdownLink', 'text', 'link', 'The text of a link.'],
  ['markdownLinkUrl', 'text', 'muted', 'The address of a link.'],
  ['markdownCode', 'text', 'accent', 'Code in a line.'],
  ['markdownCodeBlock', 'text', 'text', 'Code on lines of its own, in a language nobody knows.'],
  ['markdownCodeBorder', 'line', 'borderMuted', 'The lines around code.'],
  ['markdownQuote', 'text', 'muted', 'A quotation.'],
  ['markdownQuoteBorder', 'line', 'border', 'The line beside a quotation.'],
  ['markdownBullet', 'text', 'accent', 'The mark or number of an item.'],
  ['markdownTaskDone', 'text', 'success', 'The box of an item that is done.'],
  ['markdownRule', 'line', 'border', 'A line across.'],
  ['markdownTableHeader', 'text', 'markdownStrong', 'The first row of a table.'],
  ['markdownTableBorder', 'line', 'border', 'The lines of a table.'],

  ['syntaxKeyword', 'text', 'accent', 'if, return, class.'],
  ['syntaxString', 'text', 'success', 'Text in quotes.'],
  ['syntaxNumber', 'text', 'warning', 'A number.'],
  ['syntaxConstant', 'text', 'syntaxNumber', 'true, null, a constant.'],
  ['syntaxComment', 'text', 'muted', 'A comment.'],
  ['syntaxFunction', 'text', 'info', 'The name of a function.'],
  ['syntaxType', 'text', 'info', 'The name of a type or class.'],
  ['syntaxVariable', 'text', 'text', 'The name of a variable.'],
  ['syntaxParameter', 'text', 'syntaxVariable', 'The name of a parameter.'],
  ['syntaxProperty', 'text', 'syntaxVariable', 'The name of a property or key.'],
  ['syntaxBuiltin', 'text', 'syntaxFunction', 'What the language brings along.'],
  ['syntaxOperator', 'text', 'text', 'An operator.'],
  ['syntaxPunctuation', 'text', 'syntaxOperator', 'Brackets, commas.'],
  ['syntaxTag', 'text', 'syntaxKeyword', 'The name of a tag.'],
  ['syntaxAttribute', 'text', 'syntaxProperty', 'The name of an attribute.'],
  ['syntaxRegexp', 'text', 'syntaxString', 'A regular expression.'],
  ['syntaxEscape', 'text', 'syntaxConstant', 'An escape in a string.'],
  ['syntaxMeta', 'text', 'syntaxComment', 'Directives, decorators, shebangs.'],

  ['modeDefault', 'text', 'muted', 'The name of this permission mode.'],
  ['modeAcceptEdits', 'text', 'info', 'The name of this permission mode.'],
  ['modeTrustProject', 'text', 'info', 'The name of this permission mode.'],
  ['modePlan', 'text', 'accent', 'The name of this permission mode.'],
  ['modeAuto', 'text', 'success', 'The name of this permission mode.'],
  ['modeDontAsk', 'text', 'warning', 'The name of this permission mode.'],
  ['modeDangerously', 'text', 'error', 'The name of this permission mode.'],
  ['askBorder', 'line', 'warning', 'The line around a question that waits for an answer.'],
  ['askTitle', 'text', 'warning', 'What the question is about.'],
  ['askDanger', 'text', 'error', 'What could do harm.'],

  ['footerText', 'text', 'muted', 'The line below the editor.'],
  ['footerAccent', 'text', 'accent', 'What matters in it.'],
  ['usageLow', 'text', 'success', 'There is much room left.'],
  ['usageMedium', 'text', 'warning', 'There is less room left.'],
  ['usageHigh', 'text', 'error', 'There is hardly room left.'],
  ['todoPending', 'text', 'muted', 'A task to come.'],
  ['todoActive', 'text', 'accent', 'The task at hand.'],
  ['todoDone', 'text', 'success', 'A task that is done.'],

  ['agent1', 'text', 'accent', 'The first of eight agents that should be told apart.'],
  ['agent2', 'text', 'success', 'The second.'],
  ['agent3', 'text', 'warning', 'The third.'],
  ['agent4', 'text', 'info', 'The fourth.'],
  ['agent5', 'text', 'agent1', 'The fifth.'],
  ['agent6', 'text', 'agent2', 'The sixth.'],
  ['agent7', 'text', 'agent3', 'The seventh.'],
  ['agent8', 'text', 'agent4', 'The eighth.'],
] as const satisfies readonly Row[];

export type Role = (typeof table)[number][0];

export interface RoleFacts {
  role: Role;
  part: Part;
  /** The role it looks like when a theme leaves it out. */
  like: Role | undefined;
  meaning: string;
}

/** In the order of the documents. */
export const roleFacts: readonly RoleFacts[] = table.map(([role, part, like, meaning]) => ({
  role,
  part,
  like,
  meaning,
}));
export const roles: readonly Role[] = table.map(([role]) => role);

export function isRole(name: string): name is Role {
  return roles.some((role) => role === name);
}
