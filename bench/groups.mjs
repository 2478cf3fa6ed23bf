/**
 * Everything that is measured. A group prepares what it needs once, and every round takes a sample of its rows. A budget is
 * a ceiling in the row's unit (`atMost`), or in multiples of another figure of the same rounds (`times` the `yardstick`).
 */
import { app } from './app.mjs';
import { beside } from './beside.mjs';
import { prefix } from './prefix.mjs';
import { proxy } from './proxy.mjs';
import { start } from './rows.mjs';
import { sandbox } from './sandbox.mjs';
import { search } from './search.mjs';
import { sessions } from './sessions.mjs';
import { terminal } from './terminal.mjs';

export const groups = { start, sessions, search, prefix, proxy, sandbox, terminal, app, beside };
