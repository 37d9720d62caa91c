export { createEditors, discover, type Editors } from './editors.ts';
export type { Held, HeldFiles } from './held.ts';
export { admitted as admittedPass, type Hosting } from './hosting.ts';
export { infoOf } from './info.ts';
export type { Lock } from './locks.ts';
export { createPasses, type Passes } from './passes.ts';
export { put, receive } from './putting.ts';
export { kindForReader, shownTo } from './showing.ts';
