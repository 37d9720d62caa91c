import type { Db } from '#kernel/server/db/db.ts';
import { demandLeaders, deptNamesById, partsOfEach, peopleByName } from '#modules/platform/people/service.ts';
import { passed, type Turn } from '#modules/workflow/tickets/service.ts';
import { deptWithoutHead, leadDeptMissing, readersMissing } from '../contract/refusals.ts';
import { means } from '../engine/flow.ts';
import type { Stored } from '../visibility/visibility.ts';
import { receiving } from './rules.ts';

const list = <T>(value: unknown): T[] => (Array.isArray(value) ? (value as T[]) : []);

/** The departments assigned to a letter by its ticket's form after an event: lead and assisting. */
export function assignedAfter(
  doc: Stored,
  { state: { form }, definition }: Turn,
): Partial<Pick<Stored, 'lead_dept' | 'co_depts'>> {
  // Workflows without a field for departments assign none.
  if (doc.doc_kind !== receiving || !definition.fields.some((field) => field.key === 'lead_dept')) return {};
  // A letter for reading only has no assigned departments.
  if (form['reading'] === true) return { lead_dept: null, co_depts: [] };
  const lead = form['lead_dept'];
  return {
    lead_dept: typeof lead === 'number' ? lead : null,
    co_depts: list<number>(form['co_depts']).filter((one) => one !== lead),
  };
}

/** Refuses to leave 拟办 or 批示 without an assignee: leaders who may decide, departments with a head, or readers. */
export async function refuseUnassigned(tx: Db, doc: Stored, turn: Turn): Promise<void> {
  if (doc.doc_kind !== receiving) return;
  const left = passed(turn).filter((state) => means(state, 'propose') || means(state, 'decide'));
  if (left.length === 0) return;
  const { form } = turn.state;
  if (left.some((state) => means(state, 'propose'))) await refuseOthers(tx, list<string>(form['leaders']));
  if (form['reading'] === true) {
    if (list(form['readers']).length === 0) throw readersMissing();
    return;
  }
  if (doc.lead_dept === null) throw leadDeptMissing();
  const depts = [doc.lead_dept, ...doc.co_depts];
  const parts = await partsOfEach(tx, depts);
  const without = depts.find((dept) => parts.heads(dept).length === 0);
  if (without !== undefined) throw deptWithoutHead((await deptNamesById(tx, [without])).get(without) ?? '');
}

/** Refuses deciders who are not school leaders. */
async function refuseOthers(tx: Db, usernames: readonly string[]): Promise<void> {
  const asked = [...(await peopleByName(tx, usernames)).values()];
  await demandLeaders(
    tx,
    asked.map(({ id }) => id),
    '批示来文',
  );
}
