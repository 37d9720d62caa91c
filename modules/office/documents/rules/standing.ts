import { and, eq, or } from 'drizzle-orm';
import { standsAs } from '#modules/workflow/records/service.ts';
import type { Stored } from '../visibility/visibility.ts';
import { voided } from '../visibility/recipient-view.ts';
import { documentTable } from '../tables.ts';

/** True if a document is approved and not revoked since. */
export const isThrough = ({ approved, is_void }: Pick<Stored, 'approved' | 'is_void'>) => approved && !is_void;
export const through = and(eq(documentTable.approved, true), eq(documentTable.is_void, false))!;

/** True if a document may be distributed: it is approved, or its flow allows it before the end. */
export const isOut = (doc: Pick<Stored, 'approved' | 'is_void' | 'issued'>) => isThrough(doc) || doc.issued;
/** Condition: recipients see the document, including void ones. */
export const out = or(eq(documentTable.approved, true), eq(documentTable.issued, true))!;

/** The name of its state. */
export const stateName = (doc: Pick<Stored, 'act_state' | 'is_refused' | 'is_void'>) =>
  doc.is_void ? voided : standsAs(doc);
