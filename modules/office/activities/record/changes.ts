import { changesOf, flowByKey, isWithAuthor, type RowOf } from '#modules/workflow/records/service.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Guest } from '../contract/shapes.ts';
import { activityChangeTable } from '../tables.ts';
import { besideOf } from './assess.ts';
import { dropChange, holdChange, settleChange } from './hold.ts';
import { activityNews, officesOf, tellLeaders, whenWhere } from './news.ts';
import { activities, faultsOf, fillsOf, keepRound, refuseBegun, titleFor, type Stored } from './record.ts';
import { writePeople } from './people.ts';

export type Change = RowOf<typeof activityChangeTable>;
type Whole = Stored & { guests: Guest[]; leaders: number[] };

/** The start of the lead time of a change: that of its activity, unless the time changes or a foreign guest is added. */
export const sinceOf = (next: Stored, before: Stored, foreign: boolean) =>
  next.start_time === before.start_time && (!foreign || before.has_foreign) && before.sent_at
    ? momentOf(before.sent_at)
    : undefined;
const becomes = (change: Change) => change.becomes as Partial<Whole>;

/** True if a change is under review; one that is back with its author may be rewritten. */
export const isChangeAsked = (change: Change | undefined): boolean => change !== undefined && !isWithAuthor(change);

/** Changes of approved activities; the approved version stands until they are decided. */
export const changes = changesOf(activities, {
  module: 'activity_changes',
  noun: '活动变更',
  page: (id) => `/activity/change/${id}`,
  table: activityChangeTable,
  onePending: 'activity_change_pending',
  flow: flowByKey('activity_change', '活动变更'),
  fills: {
    title: async (change, tx) =>
      titleFor({ title: (await activities.one(tx, change.record_id))!.title, judged: change.judged }, '变更：'),
    urgent: (change) => (change.judged?.verdict.urgent ? (becomes(change).urgent_reason ?? change.reason) : undefined),
    ...fillsOf,
    place_managers: async (change, tx) => {
      const room_id = becomes(change).room_id ?? (await activities.one(tx, change.record_id))!.room_id;
      return fillsOf.place_managers({ room_id, judged: change.judged }, tx);
    },
  },
  beside: (tx, row) => besideOf(tx, row.id),
  async faults(tx, next, before, change, { now }) {
    refuseBegun(before, now);
    if (change.act_state !== actState.ongoing) return refuseBegun(next, now);
    const since = sinceOf(next, before, change.judged?.verdict.foreign ?? false);
    return faultsOf(tx, next as Whole, change.judged, now, since);
  },
  async begun(tx, next, { now, turn }, before, change) {
    await holdChange(tx, before, next, now);
    await keepRound(tx, { id: before.id, judged: change.judged! }, turn?.state.round ?? 1, change.id);
  },
  dropped: (tx, row) => dropChange(tx, row),
  async apply(tx, next, _event, before, { judged }) {
    await settleChange(tx, before, next);
    return { judged, urgent: judged!.verdict.urgent, ...(await writePeople(tx, next.id, next as Whole)) };
  },
  async after(tx, row, before, { by }) {
    const content = `原定 ${whenWhere(before)}；现为 ${whenWhere(row)}。`;
    const said = { event: 'ACTIVITY_CHANGE', content, by } as const;
    await announce(tx, activityNews.ACTIVITY_CHANGE, row, { content, by }, await officesOf(tx, row));
    await tellLeaders(tx, row, said);
  },
});
