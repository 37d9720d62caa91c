import { houseNow } from '#kernel/server/process/clock.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { and, eq, sql } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { titled } from '#kernel/contract/titles.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import {
  flowByKey,
  record,
  undoing,
  type ApprovalRecord,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { replyState, timeText, trip, visibleTo } from '../contract/codes.ts';
import { onItsWay } from '../contract/refusals.ts';
import { page, ScheduleInput } from '../contract/schedules.ts';
import { beginActing, refuseActing, endActing } from '../trips/acting.ts';
import { remember } from '../beside/places.ts';
import { attendTable, scheduleTable } from '../tables.ts';
import { attendsOf, sidesOf, withSecretaries } from './attends.ts';
import { takeTime } from './clash.ts';
import { hearersOf, leaderNews } from './news.ts';
import { fullFor, isOffice } from './visibility.ts';

export type Stored = RowOf<typeof scheduleTable>;
export interface LeaderViewer extends RecordViewer {
  user: Viewer;
  /** Leaders the person acts for, the person included. */
  sides: ReadonlySet<number>;
}
export const module = 'leaders';
const s = scheduleTable;
const flows = { 1: flowByKey('leader_schedule', '领导日程'), 3: flowByKey('leader_trip', '外出报备') } as const;

/** Ids of the leaders whose time a schedule takes. */
export const timed = async (tx: Db, row: Pick<Stored, 'id'>) =>
  ((await attendsOf(tx, [row.id])).get(row.id) ?? []).filter((one) => one.state < replyState.declines);
const namesOf = async (tx: Db, ids: readonly number[]) => {
  const known = await peopleById(tx, ids);
  return ids.flatMap((id) => known.get(id)?.username ?? []);
};
/** The title in tickets and the operation log, which readers without access to the words may see. */
const outwardly = (row: Stored) => `${row.type_id === trip ? '外出报备' : '领导日程'} ${timeText(row)}`;
const wordless = { start_time: true, end_time: true, all_day: true, attend_type: true, visibility: true } as const;
const isPrivate = (row: Stored) => row.visibility === visibleTo.own;

/** Schedules and trips: approved by a ticket, unless the leaders' own side or the office writes them. */
export const schedules: ApprovalRecord<typeof scheduleTable, LeaderViewer> = record<typeof scheduleTable, LeaderViewer>(
  {
    module,
    noun: '领导日程',
    page: (id) => `/schedule/detail/${id}`,
    table: s,
    started: { page },
    viewer: async (tx, user) => ({ sides: await sidesOf(tx, user) }),
    related: ({ user }) => fullFor(user),
    // Once approved, its visibility alone decides who reads it; deciding it gives no access beyond that.
    apart: true,
    flow: {
      of: (tx, row) => flows[row.type_id as 1].of(tx, row),
      uses: async (tx, flow) => [...(await flows[1].uses(tx, flow)), ...(await flows[3].uses(tx, flow))],
    },
    fills: {
      title: (row) => (row.direct ? outwardly(row) : row.title),
      direct: (row) => row.direct,
      leaders: async (row, tx) => (await timed(tx, row)).map((one) => one.username),
      leader_side: async (row, tx) =>
        namesOf(
          tx,
          await withSecretaries(
            tx,
            (await timed(tx, row)).map((one) => one.id),
          ),
        ),
      approvers: (row, tx) => namesOf(tx, row.approvers),
      own: async (row, tx) =>
        row.type_id === trip && (await timed(tx, row)).every((leader) => leader.id === row.creator_id),
    },
    search: (row) => ({ codes: [], texts: [row.title, row.address, row.participants] }),
    people: (ids) =>
      sql`(${scheduleTable.contact_id} in ${ids} or ${scheduleTable.acting_id} in ${ids} or exists (select from ${attendTable} where ${attendTable.schedule_id} = ${scheduleTable.id} and ${attendTable.leader_id} in ${ids}))`,
    async faults(tx, row, { by }) {
      const leaders = (await timed(tx, row)).map((one) => one.id);
      const canForce =
        by !== null && by === row.creator_id && (row.type_id === trip ? await leads(tx, by, leaders) : row.direct);
      await takeTime(tx, leaders, row, { by, but: row.id, forced: row.forced_by !== null, canForce });
      if (row.type_id === trip) await refuseActing(tx, row, leaders);
    },
    on: {
      approved: async (tx, row) => ({ address_id: row.type_id === trip ? null : await remember(tx, row) }),
    },
    after: {
      async approved(tx, row, { by, now }) {
        changed(tx, 'leader', [everybody]);
        const attends = await timed(tx, row);
        if (row.type_id === trip) {
          await tx
            .update(attendTable)
            .set({ state: replyState.comes, at: momentText(now) })
            .where(and(eq(attendTable.schedule_id, row.id), eq(attendTable.state, replyState.none)));
          return beginActing(tx, row, attends[0]!, by);
        }
        const content = `${timeText(row)}，${attends.map((one) => one.alias).join('、')}`;
        await announce(tx, leaderNews.LEADER_NEW, row, { content, by }, await hearersOf(tx, row));
      },
      reopened: (tx, row, { now }) => taken(tx, row, now),
      closed: (tx, row, { now }) => taken(tx, row, now),
      deleted: (tx, row, { now }) => taken(tx, row, now),
    },
    guard(row) {
      const begun = row.start_time <= momentText(houseNow());
      if (row.act_state === actState.finished && isPrivate(row))
        return (offer) => (undoing.includes(offer.action) ? onItsWay('日程仅本人与秘书可见') : null);
      if (row.act_state === actState.finished && begun)
        return (offer) => (undoing.includes(offer.action) ? onItsWay('日程已经开始') : null);
      // Only leaders themselves let others act for them.
      if (row.type_id === trip)
        return (offer) => (offer.action === 'state' ? onItsWay('外出报备须领导本人确认') : null);
      return null;
    },
    card: (row) => ({ title: isPrivate(row) ? outwardly(row) : row.title }),
    // A schedule may become private later, so the log never gets its words (decision 0057).
    log: (row) =>
      row.direct || row.source_id !== null
        ? { title: outwardly(row), facts: titled(ScheduleInput.pick(wordless), { ...row }) }
        : {
            title: row.title,
            facts: titled(
              ScheduleInput.omit({
                leaders: true,
                contact: true,
                acting: true,
                approvers: true,
                force: true,
                remind: true,
              }),
              { ...row },
            ),
          },
  },
);

/** True if the user acts for all of the leaders, or belongs to the office. */
async function leads(tx: Db, id: number, leaders: readonly number[]): Promise<boolean> {
  const sides = await sidesOf(tx, { id });
  if (leaders.every((one) => sides.has(one))) return true;
  const person = await personWithRights(tx, id);
  return person !== null && isOffice(viewerOf(person, 0));
}

async function taken(tx: Db, row: Stored, now: Date): Promise<void> {
  changed(tx, 'leader', [everybody]);
  if (row.type_id === trip) await endActing(tx, row, now);
}

/** The status as SQL: 0 to come, 1 begun, 2 over, 3 cancelled. */
export const runStatusSql = sql<number>`case when ${s.cancelled_at} is not null then 3 when now() < ${s.start_time} then 0
  when now() < ${s.end_time} then 1 else 2 end`;
export const runStatusOf = (
  row: Pick<Stored, 'cancelled_at' | 'start_time' | 'end_time' | 'back_at'>,
  now: string,
): number => {
  if (row.cancelled_at) return 3;
  if (now < row.start_time) return 0;
  return now < (row.back_at ?? row.end_time) ? 1 : 2;
};
