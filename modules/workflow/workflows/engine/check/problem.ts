import type { Problem } from '../../contract/shapes.ts';

export type { Problem };

/** Reasons why a definition cannot be published, and warnings: what was not proved or will need somebody's help. */
export interface Findings {
  problems: Problem[];
  warnings: Problem[];
}

export const whole = (msg: string): Problem => ({ kind: 'workflow', key: null, msg });
export const at = (state: { key: string }, msg: string): Problem => ({ kind: 'state', key: state.key, msg });
export const along = (transition: { key: string }, msg: string): Problem => ({
  kind: 'transition',
  key: transition.key,
  msg,
});
export const on = (field: { key: string }, msg: string): Problem => ({ kind: 'field', key: field.key, msg });
