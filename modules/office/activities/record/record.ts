import { sql } from 'drizzle-orm';
import { dropYear, momentOf } from '#kernel/contract/moment.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { titled } from '#kernel/contract/titles.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce, callBackNews } from '#modules/platform/messages/service.ts';
import { headedBy, peopleById } from '#modules/platform/people/service.ts';
import {
  flowByKey,
  heldBy,
  isThrough,
  record,
  saidWith,
  undoing,
  type ApprovalRecord,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { managersOf, roomsOf } from '#modules/platform/rooms/service.ts';
import { unprintable } from '#modules/platform/typesetting/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { exitsOf, startOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { activityAudience, activityStatus, activityType, reviewKeys, reviews } from '../contract/codes.ts';
import { begunAlready, holdLost, judgedBefore, notNow, useCancel } from '../contract/refusals.ts';
import { ActivityInput } from '../contract/shapes.ts';
import { needsOf } from '../engine/steps.ts';
import { activityLeaderTable, activityRoundTable, activityTable, type Judged } from '../tables.ts';
import { assess, besideOf, refusalOf, type Draft } from './assess.ts';
import { freeRoom, holdRoom, keepRoom } from './hold.ts';
import { activityNews, leadersOf, officesOf, tellLeaders, whenWhere } from './news.ts';

/** `heads` are the departments that the viewer signs for. */
export type ActivityViewer = RecordViewer & { heads: readonly number[] };
export type Stored = RowOf<typeof activityTable>;
export const module = 'activities';
export const page = 'activity/list';
/** True if the user administers activities. */
export const isOffice = (user: Viewer): boolean => holds(user, 'Update', 'activity/rule');

/** The workflow variables of a judged activity. */
export const fillsOf = {
  place_managers: async ({ room_id, judged }: { room_id: number | null; judged: Judged | null }, tx: Db) => {
    if (room_id === null || !judged?.verdict.need_place) return [];
    const [room] = await roomsOf(tx, { ids: [room_id] });
    const people = room ? await peopleById(tx, managersOf(room)) : new Map();
    return [...people.values()].map((one: { username: string }) => one.username);
  },
  ...Object.fromEntries(
    reviewKeys.map((key) => [
      `need_${key}`,
      ({ judged }: { judged: Judged | null }) => judged?.verdict[`need_${key}`] ?? false,
    ]),
  ),
};
export const titleFor = ({ title, judged }: Pick<Stored, 'title' | 'judged'>, what = '') =>
  `${judged?.verdict.urgent ? '【急办】' : ''}${what}${title}`;

/**
 * Returns what is wrong with an activity that is to be sent. The page judged it in this transaction; one that was sent past the page is
 * judged anew and refused if the answers differ.
 */
export async function faultsOf(
  tx: Db,
  draft: Draft,
  judged: Judged | null,
  now: Date,
  since?: Date,
): Promise<FieldError[]> {
  const fresh = judged?.at === now.toISOString() ? judged : await assess(tx, draft, { now, since });
  if (!judged || JSON.stringify(needsOf(judged.verdict)) !== JSON.stringify(needsOf(fresh.verdict)))
    throw judgedBefore();
  if (fresh.verdict.missing.length > 0) return fresh.verdict.missing;
  const unfit = await unprintable([
    { field: 'title', label: '活动名称', text: draft.title },
    ...draft.guests.map(({ name }, at) => ({ field: 'guests', label: `嘉宾第 ${at + 1} 位`, text: name })),
  ]);
  if (unfit.length > 0) return unfit;
  const refusal = await refusalOf(tx, fresh, draft, now);
  if (refusal) throw refusal;
  return [];
}
export function refuseBegun({ title, start_time, activity_status }: Stored, now: Date): void {
  if (activity_status !== activityStatus.coming)
    throw notNow(title, activityStatus.label(activity_status), '变更或批准');
  if (momentOf(start_time!) <= now) throw begunAlready(title, start_time!.slice(0, 16));
}
/** Stores the verdict of a round. */
export async function keepRound(
  tx: Db,
  { id, judged }: { id: number; judged: Judged },
  round: number,
  change_id?: number,
): Promise<void> {
  const { at, rule_version, verdict } = judged;
  await tx
    .insert(activityRoundTable)
    .values({ activity_id: id, change_id: change_id ?? null, round, judged_at: at, rule_version, verdict });
}
export const activities: ApprovalRecord<typeof activityTable, ActivityViewer> = record({
  module,
  noun: '活动',
  page: (id) => `/activity/detail/${id}`,
  table: activityTable,
  scope: page,
  started: { copy: { page: 'activity/declare', of: (id) => `/activity/declare?copy=${id}` } },
  viewer: async (tx, { id }) => ({ heads: await headedBy(tx, id) }),
  // The undertaker, the safety officer and attending leaders.
  related: ({ user: { id } }) =>
    sql`(${activityTable.act_state} <> ${inSql(actState.draft)} and (${id} in (${activityTable.undertaker}, ${activityTable.safety_officer}) or exists (
      select from ${activityLeaderTable} l where l.activity_id = ${activityTable.id} and l.user_id = ${id})))`,
  flow: flowByKey('activity', '活动'),
  fills: {
    title: (row) => titleFor(row),
    urgent: (row) => (row.judged?.verdict.urgent ? row.urgent_reason : undefined),
    ...fillsOf,
  },
  long: ['content', 'summary'],
  content: async (tx, row) =>
    heldBy(
      tx,
      ActivityInput,
      { ...(await besideOf(tx, row.id)), ...row },
      {
        people: ['undertaker', 'safety_officer', 'leaders'],
        depts: ['dept_id'],
        names: {
          type_id: activityType.names,
          audience: activityAudience.names,
          room_id: new Map((await roomsOf(tx, { ids: [row.room_id ?? 0] })).map(({ id, name }) => [id, name])),
        },
      },
    ),
  search: ({ title, location, co_orgs }) => ({ texts: [title, location, co_orgs] }),
  people: (ids) => sql`(${activityTable.undertaker} in ${ids} or ${activityTable.safety_officer} in ${ids})`,
  async faults(tx, row, { now }) {
    if (isThrough(row.act_state)) return refuseBegun(row, now);
    return faultsOf(tx, { ...row, ...(await besideOf(tx, row.id)) }, row.judged, now);
  },
  on: {
    async submitted(tx, row, { now, turn }) {
      await holdRoom(tx, row, now);
      await keepRound(tx, { id: row.id, judged: row.judged! }, turn?.state.round ?? 1);
      const counted = row.sent_at && row.judged!.verdict.since === row.sent_at;
      return { urgent: row.judged!.verdict.urgent, sent_at: counted ? row.sent_at : now.toISOString() };
    },
    resumed: async (tx, row, { now }) => void (await holdRoom(tx, row, now)),
    async approved(tx, row) {
      if (!(await keepRoom(tx, row))) throw holdLost(row.title);
    },
    async returned(tx, row, { now }) {
      await freeRoom(tx, row);
      return { back_at: now.toISOString() };
    },
    async withdrawn(tx, row) {
      await freeRoom(tx, row);
      return { back_at: null };
    },
    deleted: async (tx, row) => void (await freeRoom(tx, row)),
    async closed(tx, row, event) {
      await freeRoom(tx, row);
      return {
        activity_status: activityStatus.cancelled,
        cancel_reason: saidWith(event).slice(0, 200) || '审批被关闭',
      };
    },
  },
  after: {
    async approved(tx, row, { by, audit }) {
      const said = {
        event: 'ACTIVITY_APPROVED',
        content: `${whenWhere(row)}。请按申报内容做好安排。`,
        by,
      } as const;
      await announce(tx, activityNews.ACTIVITY_APPROVED, row, said, await officesOf(tx, row));
      await tellLeaders(tx, row, { ...said, audit });
      const managers = [...new Set([row.undertaker, row.creator_id])].filter((one) => one !== null);
      await tx.services.product.albums.open(tx, { name: row.title, source: { module, id: row.id }, managers });
    },
    closed: (tx, row, { by }, before) => tellCancelled(tx, row, by, before),
  },
  guard: ({ act_state, title }) =>
    isThrough(act_state) ? ({ action }) => (undoing.includes(action) ? useCancel(title) : null) : null,
  figure: (row) => (row.start_time ? dropYear(row.start_time.slice(0, 16), new Date()) : ''),
  log: (row) => ({
    title: row.title,
    facts: titled(ActivityInput.omit({ guests: true, leaders: true, content: true }), { ...row }),
    ...stateOf(row),
  }),
  card: (row) => ({ title: row.title, ...stateOf(row) }),
  ticket: {
    meanings: [{ key: 'activity', title: '活动', values: { ...reviews, final: '最终审批' } }],
    problems: async (_tx, _flow, definition) => unheaded(definition),
  },
});
const stateOf = (row: Stored) =>
  isThrough(row.act_state) || row.activity_status === activityStatus.cancelled
    ? { state: activityStatus.label(row.activity_status) }
    : {};

/** An approved activity may be known to many; one in review only to the heads, whose tasks end with the ticket. */
export async function tellCancelled(
  tx: Db,
  row: Stored,
  by: number | null,
  before: Pick<Stored, 'act_state'>,
): Promise<void> {
  if (before.act_state === actState.draft) return;
  const said = {
    event: 'ACTIVITY_CANCEL',
    content: `${whenWhere(row)} 的活动取消：${row.cancel_reason}`,
    by,
  } as const;
  await callBackNews(tx, { module, objectId: row.id });
  const leaders = await leadersOf(tx, row.id);
  const offices = await officesOf(tx, row);
  await announce(
    tx,
    activityNews.ACTIVITY_CANCEL,
    row,
    said,
    offices.filter((one) => !leaders.includes(one)),
  );
  await tellLeaders(tx, row, said);
}

/** Refuses a workflow that can end without the last review. */
function unheaded(definition: Definition) {
  const seen = new Set<number>();
  const open = [startOf(definition)];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id) || at.label['activity'] === 'final') continue;
    seen.add(at.id);
    if (at.kind === 'end')
      return [
        { kind: 'state' as const, key: at.key, msg: `不经过含义为“最终审批”的环节也能到达“${at.name}”，请调整流转` },
      ];
    const next = exitsOf(definition, at.id).flatMap((exit) => [
      exit.destination,
      ...exit.conditions.map((one) => one.target_state_id),
    ]);
    open.push(...definition.states.filter((state) => next.includes(state.id)));
  }
  return [];
}
