import { and, eq, or } from 'drizzle-orm';
import { standsAs } from '#modules/workflow/records/service.ts';
import type { Stored } from '../visibility/visibility.ts';
import { voided } from '../visibility/recipient-view.ts';
import { documentTable } from '../tables.ts';

/** Whether a document is through: approved, and not revoked since. */
export const isThrough = ({ approved, is_void }: Pick<Stored, 'approved' | 'is_void'>) => approved && !is_void;
export const through = and(eq(documentTable.approved, true), eq(documentTable.is_void, false))!;

/** Whether a document may be given out: it is through, or where its flow lets it be read before its end. */
export const isOut = (doc: Pick<Stored, 'approved' | 'is_void' | 'issued'>) => isThrough(doc) || doc.issued;
/** Those that whoever they were given to sees, the void ones too. */
export const out = or(eq(documentTable.approved, true), eq(documentTable.issued, true))!;

/** Where it stands, in a word. */
export const stateName = (doc: Pick<Stored, 'act_state' | 'is_refused' | 'is_void'>) =>
  doc.is_void ? voided : standsAs(doc);
