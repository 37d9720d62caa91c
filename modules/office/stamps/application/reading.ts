import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { and, asc, eq, gte, inArray, lt, lte, ne, sql, type SQL } from 'drizzle-orm';
import { exactTotal } from '#kernel/contract/shapes.ts';
import { momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { asked } from '#kernel/server/list/asked.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { linkModule } from '#modules/platform/links/service.ts';
import { peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import type { ListAnswer } from '#modules/workflow/records/service.ts';
import { codeOf, codePicture } from '#modules/platform/verification/service.ts';
import type { QueryOf, ReplyOf } from '#kernel/contract/call.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { applicationCalls } from '../contract/applications.ts';
import { lineState, progressOf, usageType } from '../contract/codes.ts';
import { keptBy, ofSeals } from '../custody/keeper.ts';
import { recallsOf } from '../ledger/recall.ts';
import { applicationFileTable, applicationTable, lineTable, loanTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { isOpen, linesOf, toSeal, toSealOf, type LineRow } from './lines.ts';
import { applications, hasLine, module, withLine, type Stored } from './record.ts';
import { ownedBy } from '../seals/visibility.ts';
import { applicationActions, bears, isLate, lineActions } from './rights.ts';

const a = applicationTable;
const { ready, out } = lineState;
const nobody: PersonCard = { id: 0, username: '', alias: '', dept_id: null, dept_name: '' };

/** The departments that the person heads. */
export async function headedBy(tx: Db, person: number): Promise<Set<number>> {
  const { rows } = await tx.execute<{ dept_id: number }>(
    sql`select dept_id from dept_person where user_id = ${person} and part in ('leader', 'approver')`,
  );
  return new Set(rows.map((row) => row.dept_id));
}

const lineShown = (row: Stored, line: LineRow, person: number, people: ReadonlyMap<number, PersonCard>, now: Date) => ({
  ...line,
  keeper: people.get(line.keeper) ?? null,
  pending_at: line.pending?.at ?? null,
  lapsed: line.pending !== null && isLate(line.pending, now),
  actions: lineActions(row, line, person, now),
});

/** The fields of list rows besides the ticket's; three statements in all. */
export async function rowsShown(tx: Db, rows: readonly Stored[], user: Viewer, now = houseNow()) {
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

/** The fields of its page besides the row. */
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
  // The code is shown only to those who bring the slip, so that a second person gets it from the slip.
  const code =
    row.act_state === actState.draft || !bears(row, user.id) ? null : await codeOf(tx, { module, id: row.id });
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
    recalls: await recallsOf(tx, row.id),
    outside: lines[0]?.outside ?? 0,
    loans: lines.flatMap(({ out_at, due_at, extend_reason, ...line }) =>
      out_at && due_at ? [{ ...line, line_id: line.id, out_at, due_at, extend_reason: extend_reason ?? '' }] : [],
    ),
  };
}

const unconfirmed = sql`${lineTable.pending} is not null`;
const isOut = eq(lineTable.state, out);
const isOverdue = sql`${lineTable.state} = ${out}
  and exists (select from stamp_loan l where l.line_id = ${lineTable.id} and l.returned_at is null and l.due_at < now())`;
const noCopy = sql`${a.copy_due} is not null and ${a.copy_at} is null`;

/** The condition of a list; for the desk, which is no category of tickets, the seals that the person keeps. */
export function narrowed(q: QueryOf<typeof applicationCalls.list>, _tx: Db, { id: person }: Viewer): ListAnswer {
  const kept = q.category === 'desk' ? ofSeals(keptBy(person)) : undefined;
  const state = q.seal_status === ready ? toSeal : asked(q.seal_status, (one) => eq(lineTable.state, one));
  // All filters on lines must hold for one and the same line.
  const line = [
    kept,
    kept && state,
    asked(q.stamp, (stamp) => eq(lineTable.stamp_id, stamp)),
    asked(q.appoint, (day) => and(eq(lineTable.day, day), lt(lineTable.state, lineState.void))),
    q.out ? isOut : undefined,
    q.late ? isOverdue : undefined,
    q.pending ? unconfirmed : undefined,
    q.category === 'longer' ? toDecide(person) : undefined,
  ].filter((one) => one !== undefined);
  const where = and(
    // Applications without a copy are few, so that condition is applied first.
    line.length > 0 ? (q.no_copy ? hasLine(and(...line)!) : withLine(...line)) : undefined,
    kept ? eq(a.act_state, actState.finished) : asked(q.seal_status, (one) => eq(a.seal_status, one)),
    kept && q.seal_status === ready ? isOpen : undefined,
    asked(q.act_state, (one) => eq(a.act_state, one)),
    asked(q.use_type, (type) => eq(a.use_type, type)),
    asked(q.file_kind, (kind) => eq(a.file_kind, kind)),
    asked(q.dept, (dept) => eq(a.dept_id, dept)),
    q.category === 'second' ? toConfirm(person) : undefined,
    q.no_copy ? noCopy : undefined,
  );
  const ours = q.category === 'desk' || q.category === 'second' || q.category === 'longer';
  return {
    where,
    sort: { copies: a.copies, need_at: a.need_at, copy_due: a.copy_due },
    // Keepers see the approved applications for their seals.
    ...(ours ? { category: 'all', steady: true, opened: kept !== undefined } : {}),
  };
}

/** Applications with a sealing that the person may confirm. */
const toConfirm = (person: number): SQL =>
  and(
    eq(a.act_state, actState.finished),
    ne(a.creator_id, person),
    ne(a.operator_id, person),
    withLine(
      unconfirmed,
      sql`(${lineTable.pending} ->> 'by')::int <> ${person}`,
      ofSeals(sql`${person} in (stamp.supervisor_id, stamp.keeper_id, stamp.backup_id)`),
    ),
  )!;
/** Lines with a requested extension, for a head of the seal's department. */
const toDecide = (person: number): SQL =>
  and(
    isOut,
    sql`exists (select from stamp_loan l where l.line_id = ${lineTable.id} and l.extend_until is not null and l.extend_by <> ${person})`,
    ofSeals(ownedBy(person)),
  )!;

/** The applications of the matching lines, counted without a query for each. */
const among = (...which: (SQL | undefined)[]) =>
  sql`(select count(distinct application_id)::int from (select application_id from stamp_line where ${and(...which)} limit ${exactTotal}) found)`;
const some = (where: SQL | undefined) =>
  sql`(select count(*)::int from (select from stamp_application where ${where} limit ${exactTotal}) found)`;

/** The counts of rows that wait for the user, beside the categories and at the desk. One statement. `brief` leaves out counts that only grow. */
export async function counts(tx: Db, user: Viewer, brief: boolean): Promise<ReplyOf<typeof applicationCalls.counts>> {
  const viewer = await applications.viewerOf(tx, user);
  const kept = ofSeals(keptBy(user.id));
  const parts = {
    duty: some(applications.inCategory(tx, viewer, 'duty')),
    to_seal: sql`(select count(*)::int from (${toSealOf(user.id)} limit ${exactTotal}) found)`,
    borrowed: among(kept, isOut),
    overdue: among(kept, isOverdue),
    to_confirm: some(toConfirm(user.id)),
    to_decide: some(withLine(toDecide(user.id))),
    no_copy: some(and(noCopy, hasLine(kept))),
    ...(brief
      ? {}
      : {
          all: some(applications.visible(tx, viewer)),
          owner: some(applications.inCategory(tx, viewer, 'owner')),
          worked: some(applications.inCategory(tx, viewer, 'worked')),
          sealed: among(kept, eq(lineTable.state, lineState.sealed)),
        }),
  };
  const named = Object.entries(parts).map(([key, count]) => sql`${count} as ${sql.identifier(key)}`);
  const [row] = await namedRows<ReplyOf<typeof applicationCalls.counts>>(tx, sql`select ${sql.join(named, sql`, `)}`);
  return row!;
}

/** Slots and loans of the seals that the person keeps, for the desk's calendar. */
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
  const slots = tx
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
        inArray(a.act_state, [actState.ongoing, actState.finished]),
        gte(lineTable.day, start),
        lte(lineTable.day, end),
        lt(lineTable.state, lineState.out),
      ),
    )
    .orderBy(asc(lineTable.day), asc(lineTable.part), asc(lineTable.id))
    .limit(1000);
  const away = and(
    mine,
    inArray(a.act_state, [actState.ongoing, actState.finished]),
    eq(a.use_type, usageType.out),
    inArray(a.seal_status, [lineState.waiting, ready, out]),
    inArray(lineTable.state, [lineState.waiting, ready, out]),
  );
  const until = sql<string>`left(coalesce(${loanTable.due_at}, ${a.borrow_end})::text, 19)`;
  const loans = tx
    .select({
      ...common,
      from: sql<string>`left(coalesce(${loanTable.out_at}, ${a.borrow_start})::text, 19)`,
      until,
      out: sql<boolean>`${lineTable.state} = ${inSql(lineState.out)}`,
    })
    .from(lineTable)
    .innerJoin(a, eq(a.id, lineTable.application_id))
    .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
    .leftJoin(loanTable, eq(loanTable.line_id, lineTable.id))
    .where(
      and(
        away,
        sql`coalesce(${loanTable.out_at}, ${a.borrow_start}) < ${end}::date + 1`,
        sql`(${lineTable.state} = ${inSql(lineState.out)} or ${a.borrow_end} >= ${start}::date)`,
      ),
    )
    .limit(200);
  const [held, lent] = await Promise.all([slots, loans]);
  return { slots: held, loans: lent };
}
