import { and, asc, eq, gte, inArray, isNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { fileCards } from '#modules/files/service.ts';
import { linkModule } from '#modules/links/service.ts';
import { peopleById, type PersonCard } from '#modules/people/service.ts';
import type { ListAnswer } from '#modules/records/service.ts';
import { codeOf, codePicture } from '#modules/verification/service.ts';
import type { QueryOf, ReplyOf } from '#kernel/contract/call.ts';
import type { applicationCalls } from '../contract/applications.ts';
import { lineState, progressOf } from '../contract/codes.ts';
import { keptBy } from '../custody/keeper.ts';
import { applicationFileTable, applicationTable, lineTable, loanTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { linesOf, type LineRow } from './lines.ts';
import { applications, module, withSeal, type Stored } from './record.ts';
import { applicationActions, confirmMinutes, isOwn, lineActions } from './rights.ts';

const a = applicationTable;
const { ready, out } = lineState;
const nobody: PersonCard = { id: 0, username: '', alias: '', dept_id: null, dept_name: '' };

/** Departments somebody heads, of those asked for. */
export async function headedBy(tx: Db, person: number): Promise<Set<number>> {
  const { rows } = await tx.execute<{ dept_id: number }>(
    sql`select dept_id from dept_person where user_id = ${person} and part in ('leader', 'approver')`,
  );
  return new Set(rows.map((row) => row.dept_id));
}

const lineShown = (row: Stored, line: LineRow, person: number, people: ReadonlyMap<number, PersonCard>, now: Date) => ({
  id: line.id,
  stamp_id: line.stamp_id,
  stamp_name: line.stamp_name,
  keeper: people.get(line.keeper) ?? null,
  times: line.times,
  state: line.state,
  day: line.day,
  part: line.part,
  pending_at: line.pending?.at ?? null,
  reason: line.reason,
  done_at: line.done_at,
  actions: lineActions(row, line, person, now),
});

/** What a list shows of applications beside their tickets; three statements, however many. */
export async function rowsShown(tx: Db, rows: readonly Stored[], user: Viewer, now = new Date()) {
  const lines = Map.groupBy(
    await linesOf(
      tx,
      rows.map((row) => row.id),
    ),
    (line) => line.application_id,
  );
  const all = [...lines.values()].flat();
  const people = await peopleById(tx, [...rows.map((row) => row.operator_id), ...all.map((line) => line.keeper)]);
  const heads = all.some((line) => line.extend_until !== null) ? await headedBy(tx, user.id) : new Set<number>();
  const clock = momentText(now);
  return new Map(
    rows.map((row) => {
      const own = lines.get(row.id) ?? [];
      const away = own.flatMap((line) => (line.state === out && line.due_at ? [line.due_at] : [])).toSorted();
      const more = {
        progress: progressOf(own.map((line) => line.state)),
        operator_info: people.get(row.operator_id) ?? nobody,
        back_at: away[0] ?? null,
        late: away[0] !== undefined && away[0] < clock,
        lines: own.map((line) => lineShown(row, line, user.id, people, now)),
        can: applicationActions(row, own, user.id, heads),
      };
      return [row.id, more];
    }),
  );
}

/** What its page shows besides. */
export async function detailShown(tx: Db, row: Stored, user: Viewer, origin: string | null) {
  const held = await tx
    .select()
    .from(applicationFileTable)
    .where(eq(applicationFileTable.application_id, row.id))
    .orderBy(asc(applicationFileTable.kind), asc(applicationFileTable.order_no), asc(applicationFileTable.file_id));
  const cards = await fileCards(
    tx,
    held.map((one) => one.file_id),
    user,
  );
  const lines = await linesOf(tx, [row.id]);
  // Who confirms a sealing by the code has it from the slip, not from this page.
  const bearer = isOwn(row, user.id) || row.escort_id === user.id;
  const code = row.act_state === 0 || !bearer ? null : await codeOf(tx, { module, id: row.id });
  const { source_id } = row;
  const seen = source_id === null ? null : await linkModule(tx, row.source_module)?.seen(tx, user, [source_id]);
  const source = seen?.get(source_id!);
  const escort = row.escort_id === null ? null : (await peopleById(tx, [row.escort_id])).get(row.escort_id);
  return {
    escort_info: escort ?? null,
    source_title: source?.title ?? '',
    source_path: source?.page ?? '',
    code: code ?? '',
    code_image: code ? (await codePicture(origin ?? '', code)).image : '',
    files: held.flatMap(({ file_id, sha256, kind, pages, blanks }) => {
      const card = cards.get(file_id);
      return card ? [{ ...card, sha256, kind, pages, blanks }] : [];
    }),
    loans: lines.flatMap((line) =>
      line.out_at && line.due_at
        ? [
            {
              line_id: line.id,
              stamp_name: line.stamp_name,
              out_at: line.out_at,
              due_at: line.due_at,
              returned_at: line.returned_at,
              extend_until: line.extend_until,
              extend_reason: line.extend_reason ?? '',
            },
          ]
        : [],
    ),
  };
}

/** Waits for its keeper: nothing of it was registered, or nobody confirmed that in time. */
const toSeal = sql`${lineTable.state} = ${ready} and (${lineTable.pending} is null
  or (${lineTable.pending} ->> 'at')::timestamptz < now() - make_interval(mins => ${confirmMinutes}))`;
const isOut = eq(lineTable.state, out);
const isOverdue = sql`exists (select from stamp_loan l where l.line_id = ${lineTable.id} and l.returned_at is null and l.due_at < now())`;

/** What a list of applications is narrowed to. The desk is no category of tickets: it has those for the seals somebody keeps. */
export function narrowed(query: QueryOf<typeof applicationCalls.list>, tx: Db, user: Viewer): ListAnswer {
  const desk = query.category === 'desk';
  const mine = desk ? keptBy(user.id) : undefined;
  const where = and(
    desk ? and(eq(a.act_state, 4), withSeal(tx, mine)) : undefined,
    asked(query.act_state, (state) => eq(a.act_state, state)),
    asked(query.seal_status, (state) =>
      desk ? withSeal(tx, and(mine, state === ready ? toSeal : eq(lineTable.state, state))) : eq(a.seal_status, state),
    ),
    asked(query.use_type, (type) => eq(a.use_type, type)),
    asked(query.file_kind, (kind) => eq(a.file_kind, kind)),
    asked(query.dept, (dept) => eq(a.dept_id, dept)),
    asked(query.stamp, (stamp) => withSeal(tx, eq(stampTable.id, stamp))),
    asked(query.appoint, (day) => withSeal(tx, and(eq(lineTable.day, day), sql`${lineTable.state} < 5`))),
    query.out ? withSeal(tx, and(isOut, mine)) : undefined,
    query.late ? withSeal(tx, isOverdue) : undefined,
    query.pending ? withSeal(tx, sql`${lineTable.pending} is not null`) : undefined,
    query.no_copy ? and(inArray(a.seal_status, [2, 4]), isNull(a.copy_at)) : undefined,
  );
  return { where, sort: { copies: a.copies }, ...(desk ? { category: 'all' } : {}) };
}

/** What waits where for somebody: beside the categories, at the desk. Two statements. */
export async function counts(tx: Db, user: Viewer): Promise<ReplyOf<typeof applicationCalls.counts>> {
  const viewer = await applications.viewerOf(tx, user);
  const inCategory = (category?: 'owner' | 'duty' | 'worked') => applications.inCategory(tx, viewer, category);
  const kept = keptBy(user.id);
  const line = (state: number) => withSeal(tx, and(kept, eq(lineTable.state, state)));
  const second = sql`${lineTable.pending} is not null and (${lineTable.pending} ->> 'by')::int <> ${user.id}
    and ${user.id} in (${stampTable.supervisor_id}, ${stampTable.keeper_id}, ${stampTable.backup_id})`;
  const n = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`;
  const [row] = await tx
    .select({
      all: n(applications.visible(tx, viewer)),
      owner: n(inCategory('owner')),
      duty: n(inCategory('duty')),
      worked: n(inCategory('worked')),
      to_seal: n(sql`${a.act_state} = 4 and ${withSeal(tx, and(kept, toSeal))}`),
      sealed: n(sql`${a.act_state} = 4 and ${line(lineState.sealed)}`),
      borrowed: n(line(out)),
      overdue: n(withSeal(tx, and(kept, isOverdue))),
      to_confirm: n(
        sql`${a.act_state} = 4 and ${withSeal(tx, second)} and ${a.creator_id} <> ${user.id} and ${a.operator_id} <> ${user.id}`,
      ),
      no_copy: n(sql`${a.seal_status} in (2, 4) and ${a.copy_at} is null and ${withSeal(tx, kept)}`),
    })
    .from(a);
  return row!;
}

/** Places and loans of the seals somebody keeps, for the calendar of the desk. */
export async function calendarShown(
  tx: Db,
  user: Viewer,
  { start, end, stamp_id }: { start: string; end: string; stamp_id?: number | undefined },
) {
  const mine = and(keptBy(user.id), stamp_id === undefined ? undefined : eq(stampTable.id, stamp_id));
  const common = {
    id: a.id,
    stamp_name: stampTable.name,
    title: a.title,
    who: sql<string>`(select alias from app_user u where u.id = ${a.operator_id})`,
  };
  const slots = await tx
    .select({
      ...common,
      day: sql<string>`${lineTable.day}::text`,
      part: sql<number>`${lineTable.part}`,
      state: lineTable.state,
    })
    .from(lineTable)
    .innerJoin(a, eq(a.id, lineTable.application_id))
    .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
    .where(
      and(
        mine,
        inArray(a.act_state, [1, 4]),
        gte(lineTable.day, start),
        lte(lineTable.day, end),
        lt(lineTable.state, 3),
      ),
    )
    .orderBy(asc(lineTable.day), asc(lineTable.part), asc(lineTable.id))
    .limit(1000);
  const away = and(mine, inArray(a.act_state, [1, 4]), eq(a.use_type, 2), inArray(lineTable.state, [0, ready, out]));
  const until = sql<string>`left(coalesce(${loanTable.due_at}, ${a.borrow_end})::text, 19)`;
  const loans = await tx
    .select({
      ...common,
      from: sql<string>`left(coalesce(${loanTable.out_at}, ${a.borrow_start})::text, 19)`,
      until,
      out: sql<boolean>`${lineTable.state} = 3`,
    })
    .from(lineTable)
    .innerJoin(a, eq(a.id, lineTable.application_id))
    .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
    .leftJoin(loanTable, eq(loanTable.line_id, lineTable.id))
    .where(
      and(
        away,
        sql`coalesce(${loanTable.out_at}, ${a.borrow_start}) < ${end}::date + 1`,
        sql`(${lineTable.state} = 3 or ${a.borrow_end} >= ${start}::date)`,
      ),
    )
    .limit(200);
  return { slots, loans };
}
