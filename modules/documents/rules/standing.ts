import { and, eq } from 'drizzle-orm';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { voided } from '../visibility/recipient-view.ts';
import { documentTable } from '../tables.ts';

/** Whether a document is through, so that it may be given out: approved, and not revoked since. */
export const isThrough = ({ approved, is_void }: Pick<Stored, 'approved' | 'is_void'>) => approved && !is_void;
export const through = and(eq(documentTable.approved, true), eq(documentTable.is_void, false))!;

/** Where it stands, in a word. */
export const stateName = ({ act_state, is_void }: Pick<Stored, 'act_state' | 'is_void'>) =>
  is_void ? voided : actStateNames[act_state as 0];
