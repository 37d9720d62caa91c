import { and, asc, desc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, fileCards } from '#modules/platform/files/service.ts';
import { announce, type Hearer } from '#modules/platform/messages/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus } from '../contract/codes.ts';
import { minutesState, type minutes } from '../contract/minutes.ts';
import { backWithout, minutesEmpty, minutesNot, notInState, notYours } from '../contract/refusals.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { isInside, meetings, module, type Meet } from '../record/record.ts';
import { windowOf } from '../record/slot.ts';
import { decisionTable, minutesTable } from '../tables.ts';
import { open, rightsOn, type Asked } from '../acts/context.ts';
import { meetNews, toldOf } from '../acts/notice.ts';
import { mayRaise, raiseDecisions, supervisedOf } from './raising.ts';

type Body = BodyOf<typeof minutes.keep>;
const d = decisionTable;
const m = minutesTable;
const { writing, confirming, published } = minutesState;
const acts = { save: '修改', hand_in: '提交确认', back: '退回', publish: '发布' } as const;

interface Place {
  row: Meet;
  me: number;
  now: Date;
}
/** Minutes can be written from the opening of the sign-in. */
const takesMinutes = (row: Meet, now: Date) =>
  row.act_state === actState.finished &&
  row.meet_status !== meetStatus.cancelled &&
  (row.meet_status !== meetStatus.coming || windowOf(row).from <= momentText(now));

/** Acts on minutes in a state: those who run the meeting write, its host confirms. */
function actionsOn(state: number | undefined, runs: boolean, { row, me, now }: Place): Body['act'][] {
  if (!runs || !takesMinutes(row, now)) return [];
  const confirms = me === row.host_id;
  if (state === confirming) return confirms ? ['back', 'publish'] : [];
  return ['save', 'hand_in'];
}

/** Writes the draft of a meeting's minutes with its decisions; begins the next version if the last was published. */
export async function writeMinutes({ tx, user }: Asked, row: Meet, body: Partial<Body>): Promise<number> {
  const [last] = await tx.select().from(m).where(eq(m.meet_id, row.id)).orderBy(desc(m.no)).limit(1);
  const given = {
    ...(body.content !== undefined && { content: body.content }),
    ...(body.file_id !== undefined && { file_id: body.file_id }),
  };
  if (body.file_id && body.file_id !== last?.file_id)
    await attachAll(tx, { fileIds: [body.file_id], module, recordId: row.id, user });
  if (last && last.state < published) {
    await tx
      .update(m)
      .set({ ...given, writer_id: user.id, version: sql`${m.version} + 1` })
      .where(eq(m.id, last.id));
    await writeDecisions(tx, row, last.no, body.decisions);
    return last.id;
  }
  const no = (last?.no ?? 0) + 1;
  const before = { content: last?.content ?? '', file_id: last?.file_id ?? null };
  const [made] = await tx
    .insert(m)
    .values({ meet_id: row.id, no, writer_id: user.id, ...before, ...given })
    .returning({ id: m.id });
  // A published version is final; the next one begins as its copy.
  await tx.execute(sql`insert into meet_decision (meet_id, minutes_no, no, content, dept_id, owner_id, due_at)
    select meet_id, ${no}, no, content, dept_id, owner_id, due_at from meet_decision where meet_id = ${row.id} and minutes_no = ${no - 1}`);
  await writeDecisions(tx, row, no, body.decisions);
  return made!.id;
}

/** Replaces the decisions of a draft, except those that items were made of. A new decision never takes the number of a published one. */
async function writeDecisions(tx: Db, row: Meet, minutes_no: number, said: Body['decisions']): Promise<void> {
  if (!said) return;
  const day = row.start_time!.slice(0, 10);
  const early = said.find((one) => one.due !== null && one.due < day);
  if (early)
    throw invalid([
      {
        field: 'decisions',
        label: '决定事项',
        msg: `“${early.content.slice(0, 20)}”的时限 ${early.due} 早于会议日期 ${day}`,
      },
    ]);
  const stand = [...(await supervisedOf(tx, row.id)).keys()];
  await tx.delete(d).where(and(eq(d.meet_id, row.id), eq(d.minutes_no, minutes_no), notInArray(d.no, stand)));
  const [kept] = await tx
    .select({ no: sql<number>`coalesce(max(no), 0)::int` })
    .from(d)
    .where(eq(d.meet_id, row.id));
  const rows = said.map(({ due, ...one }, at) => ({
    ...one,
    meet_id: row.id,
    minutes_no,
    no: kept!.no + at + 1,
    due_at: due && `${due} 23:59:59`,
  }));
  if (rows.length > 0) await tx.insert(d).values(rows);
}

const handlers = {
  async get({ params }: { params: { id: number } }, { tx, user, now }: Asked) {
    const viewer = await meetings.viewerOf(tx, user);
    const row = await meetings.requireVisible(tx, viewer, params.id);
    const { runs } = await rightsOn({ tx, user }, row);
    const inside = runs || (await isInside(tx, viewer, row));
    const all = inside ? await tx.select().from(m).where(eq(m.meet_id, row.id)).orderBy(desc(m.no)).limit(50) : [];
    const seen = all.filter((one) => runs || one.state === published);
    const standing = seen.find((one) => one.state === published)?.no;
    const shown = seen[0]?.no;
    const decisions =
      seen.length > 0
        ? await tx
            .select()
            .from(d)
            .where(and(eq(d.meet_id, row.id), inArray(d.minutes_no, [shown!, standing ?? shown!])))
            .orderBy(asc(d.no))
        : [];
    const decided = decisions.filter((one) => one.minutes_no === shown);
    const settled = decisions.filter((one) => one.minutes_no === standing);
    const people = await peopleById(tx, [
      ...seen.flatMap((one) => [one.writer_id, one.confirmed_by ?? one.writer_id]),
      ...decided.flatMap((one) => one.owner_id ?? []),
    ]);
    const depts = await deptNamesById(
      tx,
      decided.flatMap((one) => one.dept_id ?? []),
    );
    const cards = await fileCards(
      tx,
      seen.flatMap((one) => one.file_id ?? []),
      user,
    );
    const nameOf = (id: number | null) => people.get(id ?? 0)?.alias ?? '';
    const supervised = decisions.length > 0 ? await supervisedOf(tx, row.id) : new Map<number, never>();
    const open = mayRaise(user) && settled.some((one) => !supervised.has(one.no));
    return {
      value: seen.map((one) => ({
        ...one,
        file_info: cards.get(one.file_id ?? 0) ?? null,
        writer_name: nameOf(one.writer_id),
        confirmed_name: nameOf(one.confirmed_by),
      })),
      decisions: decided.map(({ due_at, minutes_no: _no, ...one }) => ({
        ...one,
        due: due_at?.slice(0, 10) ?? null,
        supervised: supervised.get(one.no) ?? null,
        dept_name: depts.get(one.dept_id ?? 0) ?? '',
        owner_name: nameOf(one.owner_id),
      })),
      actions: [...actionsOn(all[0]?.state, runs, { row, me: user.id, now }), ...(open ? ['raise'] : [])],
    };
  },

  async keep({ params, body }: { params: { id: number }; body: Body }, context: Asked) {
    const { tx, user, audit, now } = context;
    const { row, runs } = await open(context, params.id);
    const host = user.id === row.host_id;
    const judges = body.act === 'back' || body.act === 'publish';
    if (!runs) throw notYours('办理纪要', '记录人或会议发起人');
    if (judges && !host) throw notYours(acts[body.act], '会议主持人');
    if (!takesMinutes(row, now)) throw notInState(meetings.stateOf(row), '办理纪要', '开始签到之后可以整理纪要');
    const [last] = await tx.select().from(m).where(eq(m.meet_id, row.id)).orderBy(desc(m.no)).limit(1).for('update');
    if (!actionsOn(last?.state, runs, { row, me: user.id, now }).includes(body.act))
      throw minutesNot(last ? minutesState.label(last.state) : '还没有草拟', acts[body.act]);
    if (body.act === 'back' && !body.reason) throw backWithout();
    const id = judges ? last!.id : await writeMinutes(context, row, body);
    const [kept] = await tx.select().from(m).where(eq(m.id, id));
    if (body.act !== 'save' && body.act !== 'back' && !kept!.content && !kept!.file_id) throw minutesEmpty();
    const sets = {
      save: {},
      hand_in: { state: confirming, reason: '' },
      back: { state: writing, reason: body.reason },
      publish: { state: published, confirmed_by: user.id, published_at: sql`now()` },
    }[body.act];
    // An item may have been made of a published decision meanwhile, so that decision is kept in this version too.
    if (body.act === 'publish')
      await tx.execute(sql`insert into meet_decision (meet_id, minutes_no, no, content, dept_id, owner_id, due_at)
        select meet_id, ${kept!.no}, no, content, dept_id, owner_id, due_at from meet_decision where meet_id = ${row.id} and minutes_no = ${kept!.no - 1}
          and no = any(${sql.param([...(await supervisedOf(tx, row.id)).keys()])}::int[])
        on conflict do nothing`);
    if (body.act !== 'save') await tx.update(m).set(sets).where(eq(m.id, id));
    await announceMinutes(context, row, body, kept!.writer_id);
    audit({ type: '会议纪要', id: row.id, title: row.title, after: { 操作: acts[body.act], 版本: kept!.no } });
    return { id: row.id };
  },

  raise: ({ params, body }: { params: { id: number }; body: BodyOf<typeof minutes.raise> }, context: Asked) =>
    raiseDecisions(context, params.id, body.nos),
};
export const minutesHandlers = handlers;

/** Notifies the host of minutes to confirm, the writer of returned ones, and all invited people of published ones. */
async function announceMinutes({ tx, user }: Asked, row: Meet, { act, reason }: Body, writer: number): Promise<void> {
  const tell = (head: string, content: string, to: readonly Hearer[]) =>
    announce(tx, meetNews.MEET_DUE, row, { head, content, by: user.id }, to);
  if (act === 'hand_in') await tell('纪要待确认', '纪要已整理，请确认发布。', [row.host_id]);
  if (act === 'back') await tell('纪要退回', `主持人退回修改：${reason}`, [writer]);
  if (act === 'publish') await tell('会议纪要', '纪要已发布，可在会议页面查看。', await toldOf(tx, row.id));
}
