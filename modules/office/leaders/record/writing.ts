import { dayAfter } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import type { ColumnsOf } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetingsType, scheduleType, trip, visibleTo } from '../contract/codes.ts';
import { endBeforeStart, notMain, notPrivate, oneLeader, typeElsewhere } from '../contract/refusals.ts';

import type { ScheduleInput } from '../contract/schedules.ts';
import { mainLeaders } from '../trips/acting.ts';
import { scheduleTable } from '../tables.ts';
import { attendsOf, leadersNamed, peopleNamed, setAttends } from './attends.ts';
import type { LeaderViewer, Stored } from './record.ts';
import { isOffice } from './visibility.ts';

export type Written = Partial<ScheduleInput> & { type_id?: number };
type Columns = ColumnsOf<typeof scheduleTable>;

/** The interval of an entry; that of whole days runs from midnight to midnight. */
export function spanOf({ start_time, end_time, all_day }: Pick<Stored, 'start_time' | 'end_time' | 'all_day'>) {
  const midnight = (day: string) => `${day} 00:00:00`;
  const last = end_time.slice(0, 10);
  // An interval that ends at midnight keeps its last day.
  const whole = end_time.slice(11, 16) === '00:00' && last > start_time.slice(0, 10) ? last : dayAfter(last, 1);
  const span = all_day
    ? { start_time: midnight(start_time.slice(0, 10)), end_time: midnight(whole) }
    : { start_time, end_time };
  if (span.end_time <= span.start_time) throw endBeforeStart(span.end_time.slice(0, 16), span.start_time.slice(0, 16));
  return span;
}

/** Columns of the sent fields; refuses unknown people and records. */
export async function columnsOf(tx: Db, input: Written, viewer: LeaderViewer, before: Stored | null): Promise<Columns> {
  const { leaders, contact, acting, approvers, escort, force, ...rest } = input;
  const type_id = before?.type_id ?? rest.type_id ?? scheduleType.usual;
  if (type_id === meetingsType) throw typeElsewhere();
  const idOf = async (name: string | null | undefined) => (name ? (await peopleNamed(tx, [name]))[0]!.id : null);
  const own = Object.fromEntries(
    Object.entries(rest).filter(
      ([key, value]) => value !== undefined && key in scheduleTable && key !== 'version' && key !== 'type_id',
    ),
  ) as Columns;
  const next = { ...before, ...own } as Stored;
  const chosen = leaders && (await leadersNamed(tx, leaders));
  if (type_id === trip && chosen && chosen.length !== 1) throw oneLeader(chosen.length);
  const ids =
    chosen?.map((one) => one.id) ??
    (before ? ((await attendsOf(tx, [before.id])).get(before.id) ?? []).map((one) => one.id) : []);
  const onSide = ids.length > 0 && ids.every((id) => viewer.sides.has(id));
  const lead = onSide || isOffice(viewer.user);
  const direct = type_id !== trip && (before && before.act_state === actState.finished ? before.direct : lead);
  if (next.visibility === visibleTo.own) {
    if (type_id === trip) throw notPrivate('外出报备须让大家知道领导不在');
    if (!onSide) throw notPrivate('不是每位领导的本人或秘书');
    if (!direct && !before?.source_id) throw notPrivate('经审批的日程已为他人所知');
  }
  if (approvers?.length) {
    const main = new Set((await mainLeaders(tx)).map((one) => one.username));
    const other = (await peopleNamed(tx, approvers)).find((one) => !main.has(one.username));
    if (other) throw notMain(other.alias);
  }
  return {
    ...own,
    ...(before ? {} : { type_id }),
    ...spanOf(next),
    // A trip is reported, so there is nobody to remind of it.
    ...(type_id === trip ? { remind: [] } : {}),
    direct,
    ...(contact === undefined ? {} : { contact_id: await idOf(contact) }),
    ...(acting === undefined || type_id !== trip ? {} : { acting_id: await idOf(acting) }),
    ...(approvers === undefined ? {} : { approvers: (await peopleNamed(tx, approvers)).map((one) => one.id) }),
    ...(escort === undefined ? {} : { escort: (await peopleNamed(tx, escort)).map((one) => one.id) }),
    // A trip is never direct; the leader's side may force it all the same.
    forced_by: force && (type_id === trip ? lead : direct) ? viewer.user.id : null,
  };
}

/** Writes its leaders and files; a writer who acts for a leader has answered for them. */
export async function writeBeside(
  tx: Db,
  row: Stored,
  input: Written,
  viewer: LeaderViewer,
  before: Stored | null,
): Promise<void> {
  if (input.leaders) {
    const chosen = await leadersNamed(tx, input.leaders);
    const agreed = row.type_id === trip ? new Set<number>() : viewer.sides;
    await setAttends(
      tx,
      row.id,
      chosen.map((one) => one.id),
      agreed,
    );
  }
  if (!input.materials) return;
  const held = before?.materials ?? [];
  const gone = held.filter((id) => !row.materials.includes(id));
  const fresh = row.materials.filter((id) => !held.includes(id));
  const files = { module: 'leaders', recordId: row.id };
  if (gone.length > 0) await detachAll(tx, { ...files, fileIds: gone });
  if (fresh.length > 0) await attachAll(tx, { ...files, fileIds: fresh, user: viewer.user });
}
