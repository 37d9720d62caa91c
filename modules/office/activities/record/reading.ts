import { and, desc, eq, getTableColumns, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { contains, containsWords } from '#kernel/server/list/contains.ts';
import { matches } from '#kernel/server/list/search.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { answersTo } from '#modules/office/leaders/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { isWithAuthor, type ListOptions } from '#modules/workflow/records/service.ts';
import { roomsOf } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { versionToStart, workflowByKey } from '#modules/workflow/workflows/service.ts';
import type { activities as calls } from '../contract/activities.ts';
import { activityAudience, activityStatus, activityType } from '../contract/codes.ts';
import { ActivityInput, type Guest, type Verdict } from '../contract/shapes.ts';
import { stepsOf } from '../engine/steps.ts';
import { activityGuestTable, activityLeaderTable, activityRoundTable, activityTable } from '../tables.ts';
import { lateSummaries } from './assess.ts';
import { changes, isChangeAsked, type Change } from './changes.ts';
import { isNoted } from './people.ts';
import { activities, module, type ActivityViewer, type Stored } from './record.ts';

const t = activityTable;
type Filters = Partial<Omit<QueryOf<typeof calls.list>, 'order_by'>>;
const given = <T>(value: T | undefined, condition: (value: T) => SQL) =>
  value === undefined ? undefined : condition(value);
export const overdue = sql`${t.activity_status} = ${inSql(activityStatus.toSummarise)} and ${t.summary_due} < current_date`;

export const listOptions = (asked: Filters): ListOptions => ({
  where: and(
    ...(['type_id', 'act_state', 'activity_status', 'dept_id'] as const).map((key) =>
      given(asked[key], (one) => eq(t[key], one)),
    ),
    given(asked.start, (day) => sql`${t.end_time} >= ${day}::date`),
    given(asked.end, (day) => sql`${t.start_time} < ${day}::date + 1`),
    given(asked.place || undefined, (words) => contains(t.location, words)),
    given(
      asked.leader,
      (one) => sql`exists (select from activity_leader l where l.activity_id = ${t.id} and l.user_id = ${one})`,
    ),
    given(
      asked.foreign,
      (is) =>
        sql`(${t.has_foreign} or ${t.has_overseas} or ${t.type_id} is not distinct from ${inSql(activityType.foreign)}) = ${is}`,
    ),
    given(asked.external, (is) => eq(t.has_external, is)),
    given(asked.overdue_summary, (is) => sql`(${overdue}) = ${is}`),
  ),
  sort: { start_time: t.start_time, title: t.title },
});

/** The fields of list rows beside the columns. Takes one statement, one for names and one for changes. */
export async function rowsShown(tx: Db, rows: readonly Stored[]): Promise<Map<number, object>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const leaders = await tx
    .select({
      id: activityLeaderTable.activity_id,
      alias: sql<string>`(select u.alias from app_user u where u.id = ${activityLeaderTable.user_id})`,
    })
    .from(activityLeaderTable)
    .where(isAmong(activityLeaderTable.activity_id, ids))
    .orderBy(activityLeaderTable.user_id);
  const changing = await changes.pendingOf(tx, ids);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        leader_names: leaders.flatMap((one) => (one.id === row.id ? one.alias : [])),
        changing: changing.has(row.id),
        change_asked: isChangeAsked(changing.get(row.id)),
      },
    ]),
  );
}

/** The steps a declaration takes by the published workflow. */
export async function pathOf(tx: Db, verdict: Verdict) {
  const flow = await workflowByKey(tx, 'activity');
  const version = flow === null ? null : await versionToStart(tx, flow, 'activities');
  return version ? stepsOf(version.definition, verdict) : [];
}

/** Decides which remarks on guests the viewer may read: reviewers and the administrators all of them, the author their own. */
async function openTo(
  tx: Db,
  row: Stored,
  viewer: ActivityViewer,
  change: Change | undefined,
): Promise<'all' | 'own' | null> {
  if (holds(viewer.user, 'Update', 'activity/rule')) return 'all';
  for (const category of ['duty', 'worked'] as const) {
    if (row.creator_id === viewer.user.id) break;
    if (await activities.one(tx, row.id, activities.inCategory(tx, viewer, category))) return 'all';
    if (change && (await changes.one(tx, change.id, changes.inCategory(tx, viewer, category)))) return 'all';
  }
  return row.creator_id === viewer.user.id ? 'own' : null;
}

async function guestsShown(tx: Db, id: number, open: 'all' | 'own' | null) {
  const g = activityGuestTable;
  const { search: _search, ...columns } = getTableColumns(g);
  const earlier = sql<{
    background: string;
    at: string;
    title: string;
  } | null>`(select json_build_object('background', e.background,
    'title', a.title, 'at', to_char(a.start_time, 'YYYY-MM')) from activity_guest e join activity a on a.id = e.activity_id where e.id = activity_guest.note_of)`;
  const rows = await tx
    .select({ ...columns, earlier })
    .from(g)
    .where(eq(g.activity_id, id))
    .orderBy(g.no);
  return rows.map(({ earlier: from, ...guest }) => ({
    ...guest,
    phone: open ? guest.phone : '',
    background: open ? guest.background || (open === 'all' && from?.background) || '' : '',
    noted: from
      ? `沿用 ${from.at}${open === 'all' ? `《${from.title}》` : '来访时的说明'}`
      : guest.background
        ? '已填写'
        : '',
  }));
}

/** The words of a field's value; a method, so that each field may name the type that its value was sent with. */
interface Told {
  words(value: unknown): string;
}
/** Describes a change in words; of guests, their identity only. */
async function differences(tx: Db, { was, becomes }: Change, open: boolean) {
  const idsOf = (key: string) => [was[key], becomes[key]].flat().flatMap((one) => (typeof one === 'number' ? one : []));
  const people = await peopleById(tx, ['leaders', 'undertaker', 'safety_officer'].flatMap(idsOf));
  const depts = await deptNamesById(tx, idsOf('dept_id'));
  const rooms = idsOf('room_id').length > 0 ? await roomsOf(tx, { ids: idsOf('room_id') }) : [];
  const alias = (id: unknown) => people.get(id as number)?.alias ?? '';
  const wordsFor: Record<string, Told['words']> = {
    guests: (guests: Guest[]) =>
      guests.map((one) => [one.name, one.org, one.topic, open && one.background].filter(Boolean).join(' ')).join('；'),
    leaders: (ids: number[]) => ids.map(alias).join('、'),
    undertaker: alias,
    safety_officer: alias,
    dept_id: (id: number) => depts.get(id) ?? '',
    room_id: (id: number) => rooms.find((room) => room.id === id)?.name ?? '',
    type_id: (id: 1) => activityType.label(id),
    audience: (id: 1) => activityAudience.label(id),
    start_time: (at: string) => at.slice(0, 16),
    end_time: (at: string) => at.slice(0, 16),
    safety_plan: () => '已上传',
    poster: (ids: number[]) => `${ids.length} 个文件`,
    attachments: (ids: number[]) => `${ids.length} 个文件`,
  };
  const words = (key: string, value: unknown) => {
    if (value === null || value === undefined) return '—';
    if (typeof value === 'boolean') return value ? '是' : '否';
    return (wordsFor[key]?.(value) ?? String(value)) || '—';
  };
  const keys = Object.keys(ActivityInput.shape).filter((key) => key in becomes);
  return keys.map((key) => ({
    label: titleOf(ActivityInput.shape[key as 'title']) ?? key,
    was: words(key, was[key]),
    becomes: words(key, becomes[key]),
  }));
}

/** The fields of an activity's page beside its row. */
export async function detailShown(tx: Db, row: Stored, viewer: ActivityViewer, now: Date) {
  const change = (await changes.pendingOf(tx, [row.id])).get(row.id) as Change | undefined;
  const own = change?.creator_id === viewer.user.id;
  const known = change && (own || !isWithAuthor(change)) ? change : undefined;
  await activities.ticketsOf(tx, viewer);
  const open = await openTo(tx, row, viewer, known);
  const leaders = (await tx.select().from(activityLeaderTable).where(eq(activityLeaderTable.activity_id, row.id))).map(
    (one) => one.user_id,
  );
  const answers = (await answersTo(tx, module, [row.id])).get(row.id) ?? [];
  const named = [...leaders, ...answers.map((one) => one.leader), row.undertaker ?? 0, row.safety_officer ?? 0];
  const people = await peopleById(tx, named);
  const files = await fileCards(
    tx,
    [...row.poster, ...row.attachments, ...(row.safety_plan === null ? [] : [row.safety_plan])],
    viewer.user,
  );
  const rounds = await tx
    .select()
    .from(activityRoundTable)
    .where(eq(activityRoundTable.activity_id, row.id))
    .orderBy(activityRoundTable.id);
  const [room] = row.room_id === null ? [] : await roomsOf(tx, { ids: [row.room_id] });
  return {
    guests: await guestsShown(tx, row.id, open),
    leaders,
    leaders_info: leaders.flatMap((id) => people.get(id) ?? []),
    leader_answers: answers.map(({ leader, ...answer }) => ({ ...answer, alias: people.get(leader)?.alias ?? '' })),
    undertaker_info: people.get(row.undertaker ?? 0) ?? null,
    safety_officer_info: people.get(row.safety_officer ?? 0) ?? null,
    room_name: room?.name ?? '',
    files: [...files.values()],
    late_summaries: row.dept_id === null ? 0 : await lateSummaries(tx, row.dept_id, now),
    rounds: rounds.map((one) => ({ ...one, of_change: one.change_id !== null })),
    steps: row.judged ? await pathOf(tx, row.judged.verdict) : [],
    change: known
      ? {
          id: known.id,
          ticket_id: known.ticket_id,
          act_state: known.act_state,
          reason: known.reason,
          own,
          fields: await differences(tx, known, open !== null),
        }
      : null,
  };
}

/** Speakers of earlier approved activities, the latest visit of each. */
export async function guestsBefore(tx: Db, words: string) {
  const g = activityGuestTable;
  const rows = await tx
    .selectDistinctOn([g.name, g.org], {
      id: g.id,
      name: g.name,
      org: g.org,
      title: g.title,
      nationality: g.nationality,
      topic: g.topic,
      is_external: g.is_external,
      at: sql<string>`to_char(${t.start_time}, 'YYYY-MM-DD')`,
      noted: isNoted,
      approved_by: sql<string>`coalesce((select u.alias from ticket_task k join app_user u on u.id = k.assignee_id
        where k.ticket_id = ${t.ticket_id} and k.status = 'agree' order by k.no desc limit 1), '')`,
    })
    .from(g)
    .innerJoin(t, eq(t.id, g.activity_id))
    .where(
      and(
        eq(t.act_state, actState.finished),
        inArray(t.activity_status, [activityStatus.running, activityStatus.toSummarise, activityStatus.summarised]),
        or(matches(g.search, words), containsWords(g.title, words)),
      ),
    )
    .orderBy(g.name, g.org, desc(t.start_time))
    .limit(20);
  return rows;
}
