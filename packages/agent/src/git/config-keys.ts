/**
 * Reads a repository's own configuration and says whether git may work by it unwatched: no key of it can run a program or
 * lead elsewhere. Strict: a line or a key that is not known here is not harmless.
 */

export interface ConfigEntry {
  /** Section, subsection and key, in lower case but for the subsection: `remote.origin.url`. */
  name: string;
  /** As written; nothing here needs its quotes taken off. */
  value: string | undefined;
}

const blank = /^[ \t]*(?:[#;].*)?$/;
const section = /^[ \t]*\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\][ \t]*(?:[#;].*)?$/;
const entry = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*))?$/;

/** Undefined when a line is more than a section, a key with its value on the same line, or a comment. */
export function parseGitConfig(text: string): ConfigEntry[] | undefined {
  const entries: ConfigEntry[] = [];
  let within: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (blank.test(line)) continue;
    const opened = section.exec(line);
    if (opened) {
      const [, name = '', sub] = opened;
      within = name.toLowerCase() + (sub === undefined ? '' : `.${sub}`);
      continue;
    }
    const [, key, value] = entry.exec(line) ?? [];
    if (within === undefined || key === undefined || value?.endsWith('\\')) return undefined;
    entries.push({ name: `${within}.${key.toLowerCase()}`, value: value?.trim() });
  }
  return entries;
}

const plain = (section: string, keys: string) => new RegExp(`^${section}\\.(?:${keys.split(' ').join('|')})$`);

const tameKeys: readonly RegExp[] = [
  plain('core', 'repositoryformatversion filemode logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol'),
  plain(
    'core',
    'safecrlf whitespace quotepath abbrev protecthfs protectntfs longpaths checkstat trustctime commentchar',
  ),
  plain('core', 'preloadindex commitgraph multipackindex untrackedcache sparsecheckout sparsecheckoutcone compression'),
  plain('extensions', 'worktreeconfig objectformat refstorage preciousobjects noop'),
  plain(
    'remote\\..+',
    'url pushurl fetch push prune prunetags tagopt mirror gh-resolved skipdefaultupdate skipfetchall',
  ),
  plain('remote', 'pushdefault'),
  plain('branch\\..+', 'remote pushremote merge rebase description base vscode-merge-base gh-merge-base'),
  plain('branch\\..+', 'github-pr-owner-number github-pr-base-branch'),
  plain('branch', 'autosetupmerge autosetuprebase sort'),
  plain('(?:user|author|committer)', 'name email signingkey useconfigonly'),
  plain('init', 'defaultbranch'),
  plain('pull', 'rebase ff'),
  plain('push', 'default autosetupremote followtags'),
  plain('fetch', 'prune prunetags output parallel'),
  plain('merge', 'ff conflictstyle renamelimit renames log stat'),
  plain('rebase', 'autosquash autostash updaterefs stat'),
  plain('submodule\\..+', 'url active branch ignore'),
  plain('submodule', 'active'),
  plain('commit', 'gpgsign verbose status cleanup'),
  plain('tag', 'gpgsign sort'),
  plain('log', 'date decorate follow abbrevcommit showsignature'),
  plain('diff', 'algorithm renames renamelimit context mnemonicprefix noprefix colormoved indentheuristic'),
  plain('status', 'short branch showuntrackedfiles showstash relativepaths aheadbehind renames'),
  plain('index', 'version threads sparse'),
  plain('rerere', 'enabled autoupdate'),
  plain('maintenance', 'auto strategy repo'),
  plain('lfs', 'repositoryformatversion locksverify fetchinclude fetchexclude'),
  plain('lfs\\.https?:.+', 'access locksverify'),
  /^(?:gui|color|advice)\.[a-z.-]+$/,
];

/** Where a repository's files are is told by itself only for a submodule: `isHere` says whether that is true. */
export function isTameKey({ name, value }: ConfigEntry, isHere: (worktree: string) => boolean): boolean {
  if (name === 'core.bare') return value === 'false';
  if (name === 'core.worktree') return value !== undefined && isHere(value);
  return tameKeys.some((key) => key.test(name));
}
