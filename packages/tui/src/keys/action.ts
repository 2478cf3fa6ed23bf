/** What a key can do, by name. Programs and components bring their actions; a user's file gives them other keys. */

export interface Action {
  /** `tui.list.down`, `app.model.select`: the name in files, never changed. */
  name: string;
  /** Keys or chords that do it unless the user says otherwise. */
  keys: readonly string[];
  /** Where it counts: `list`, `editor`, `global`. The same key may do something else in another context. */
  context: string;
  /** A few words for the help screen. */
  description: string;
}

/** A key or a chord that does something in a context. */
export interface Binding {
  /** Normal names; more than one is a chord. */
  keys: readonly string[];
  action: string;
  context: string;
}
