/** The language everyone in tau speaks. Types, and a few pure functions over them; no I/O, no Node built-ins. */
export * from './decision.ts';
export * from './effect.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './extension.ts';
export * from './messages.ts';
export * from './model.ts';
export * from './nearest.ts';
export * from './partial.ts';
export * from './ports.ts';
export * from './question.ts';
export * from './record.ts';
export * from './session.ts';
export * from './tokens.ts';
export * from './tool.ts';
export * from './validate.ts';
