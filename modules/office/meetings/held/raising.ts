import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, asc, desc, eq } from 'drizzle-orm';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { itemState } from '#modules/office/supervision/contract/codes.ts';
import { page } from '#modules/office/supervision/contract/supervise.ts';
import { raise, raisedFrom } from '#modules/office/supervision/service.ts';
import { noSuchDecision, notInState, notYours } from '../contract/refusals.ts';
import { minutesState } from '../contract/minutes.ts';
import { isInside, meetings, module } from '../record/record.ts';
import { decisionTable, minutesTable } from '../tables.ts';
import { open, type Asked } from '../acts/context.ts';

const d = decisionTable;
/** 会议决定, the source code of supervised items. */
const ofMeeting = 2;
export const mayRaise = (user: Viewer): boolean => holds(user, 'Create', page);

/** Items made of a meeting's decisions, by the decisions' numbers. */
export async function supervisedOf(
  tx: Db,
  id: number,
): Promise<Map<number, { id: number; sn: string; state: string }>> {
  const found = await raisedFrom(tx, module, [id]);
  return new Map(
    found.flatMap(({ source_key, status, ...item }) =>
      source_key ? [[Number(source_key), { id: item.id, sn: item.sn, state: itemState.label(status) }] as const] : [],
    ),
  );
}

/** 转督办: makes an item of each published decision, or returns the existing one. The meeting is locked, so that its decisions cannot change. */
export async function raiseDecisions(context: Asked, id: number, nos?: readonly number[]) {
  const { tx, user } = context;
  const { row, viewer, runs } = await open(context, id);
  if (!mayRaise(user) || (!runs && !(await isInside(tx, viewer, row))))
    throw notYours('转督办', '党政办或参会的督办人员；其他督办人员看不到本次会议');
  const published = and(eq(minutesTable.meet_id, id), eq(minutesTable.state, minutesState.published));
  const [last] = await tx
    .select({ no: minutesTable.no })
    .from(minutesTable)
    .where(published)
    .orderBy(desc(minutesTable.no))
    .limit(1);
  if (!last) throw notInState(meetings.stateOf(row), '转督办', '纪要发布之后可以把决定事项转督办');
  const all = await tx
    .select()
    .from(d)
    .where(and(eq(d.meet_id, id), eq(d.minutes_no, last.no)))
    .orderBy(asc(d.no));
  const missing = nos?.find((no) => !all.some((one) => one.no === no));
  if (missing !== undefined) throw noSuchDecision(missing);
  const value = [];
  for (const one of all.filter(({ no }) => !nos || nos.includes(no))) {
    const made = await raise(context, {
      source: { module, id, key: String(one.no) },
      title: cutTo(one.content, 120),
      content: one.content,
      kind: ofMeeting,
      dept: one.dept_id,
      owner: one.owner_id,
      due: one.due_at?.slice(0, 16) ?? null,
    });
    value.push({ no: one.no, supervise_id: made.id, sn: made.sn });
  }
  return { value };
}
