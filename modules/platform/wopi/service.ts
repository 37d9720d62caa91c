export { createEditors, discover, type Editors } from './editors.ts';
export type { Held, HeldFiles } from './editing/held.ts';
export { admitted as admittedPass, type Hosting } from './hosting.ts';
export { infoOf } from './editing/info.ts';
export type { Lock } from './editing/locks.ts';
export { createPasses, type Passes } from './editing/passes.ts';
export { put, receive } from './editing/putting.ts';
export { kindForReader, shownTo } from './editing/showing.ts';
