import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { onOff, titled } from '#kernel/contract/titles.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { deptNamesById, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { neverOpen, officeInUse, officeTaken, officeUnkept, unknownPeople } from '../contract/refusals.ts';
import type { offices } from '../contract/offices.ts';
import { OfficeInput, roomState } from '../contract/shapes.ts';
import { lengthText } from '../engine/rules.ts';
import { roomsOf } from '../service.ts';
import { reaches, requireReached } from './reach.ts';
import { officeTable, roomTable } from '../tables.ts';

type Office = typeof officeTable.$inferSelect;
const type = '会务单位';
const page = 'meet/office';
const alive = eq(officeTable.is_deleted, false);
const taken = (name: string) => refuseOn('meet_office_name', () => officeTaken(name));
/** An office older than this rule may be closed or deleted, but any other change requires a keeper. */
const unkept = (name: string) => refuseOn('meet_office_kept', () => officeUnkept(name));
const told = (row: Partial<Office>) => titled(OfficeInput, row);

/** Refuses people who have left. */
export async function requireWorking(tx: Db, ids: readonly number[] = []): Promise<void> {
  const there = new Set(await workingAmong(tx, ids));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length > 0) throw unknownPeople(gone);
}

/** Refuses an office whose rooms could never be booked. */
function requireOpen({
  min_ahead_min: least = 0,
  max_ahead_days: most,
}: Pick<OfficeInput, 'min_ahead_min' | 'max_ahead_days'>): void {
  const days = most ?? (officeTable.max_ahead_days.default as number);
  if (least > days * 1440) throw neverOpen(lengthText(least), days);
}

async function officeForUpdate(tx: Db, id: number): Promise<Office> {
  const [row] = await tx
    .select()
    .from(officeTable)
    .where(and(alive, eq(officeTable.id, id)))
    .for('update');
  if (!row) throw absent(type);
  return row;
}

async function shown(tx: Db, user: Viewer, rows: readonly Office[]) {
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.managers),
  );
  const names = await deptNamesById(
    tx,
    rows.flatMap((row) => row.dept_id ?? []),
  );
  const counts = await tx
    .select({ office: roomTable.office_id, rooms: sql<number>`count(*)::int` })
    .from(roomTable)
    .where(
      and(
        eq(roomTable.is_deleted, false),
        inArray(
          roomTable.office_id,
          rows.map((row) => row.id),
        ),
      ),
    )
    .groupBy(roomTable.office_id);
  return rows.map((row) => ({
    ...row,
    status: row.status === onOff.on ? onOff.on : onOff.off,
    dept_name: (row.dept_id !== null && names.get(row.dept_id)) || '',
    managers_info: row.managers.flatMap((id) => people.get(id) ?? []),
    room_count: counts.find((one) => one.office === row.id)?.rooms ?? 0,
    actions: [
      ...(reaches(user, 'Update', page, row) ? ['update'] : []),
      ...(reaches(user, 'Delete', page, row) ? ['delete'] : []),
    ],
  }));
}

export const officeHandlers = {
  async list({ query }: { query: QueryOf<typeof offices.list> }, { tx, user }: Context & { user: Viewer }) {
    const select = tx
      .select()
      .from(officeTable)
      .where(
        and(
          alive,
          saysOrShows(
            query.search_value,
            (word) => or(contains(officeTable.name, word), contains(officeTable.address, word)),
            (ids) => sql`${officeTable.managers} && array${ids}`,
          ),
          query.status === undefined ? undefined : eq(officeTable.status, query.status ? 1 : 0),
        ),
      )
      .$dynamic();
    const found = await pageOf(tx, query, select, {
      by: { order_id: officeTable.order_id, name: officeTable.name },
      first: 'order_id',
      tie: officeTable.id,
    });
    return { ...found, value: await shown(tx, user, found.value) };
  },

  async create({ body }: { body: BodyOf<typeof offices.create> }, { tx, user, audit }: Context & { user: Viewer }) {
    requireReached(user, 'Create', page, { ...body, dept_id: body.dept_id ?? null, managers: [] });
    if ((body.managers ?? []).length === 0) throw officeUnkept(body.name);
    requireOpen(body);
    await requireWorking(tx, body.managers);
    const [row] = await tx.insert(officeTable).values(body).returning().catch(taken(body.name));
    audit({ type, id: row!.id, title: body.name, after: told(row!) });
    return { id: row!.id };
  },

  async update(
    { params, body: { version, ...body } }: { params: { id: number }; body: BodyOf<typeof offices.update> },
    { tx, user, audit }: Context & { user: Viewer },
  ) {
    const before = await officeForUpdate(tx, params.id);
    requireReached(user, 'Update', page, before);
    if (body.dept_id !== undefined && body.dept_id !== before.dept_id)
      requireReached(user, 'Update', page, { ...before, dept_id: body.dept_id, managers: [] });
    checkVersion(type, before, version, (await shown(tx, user, [before]))[0]);
    if (body.managers?.length === 0) throw officeUnkept(body.name ?? before.name);
    requireOpen({ ...before, ...body });
    await requireWorking(tx, body.managers);
    const [after] = await tx
      .update(officeTable)
      .set({ ...body, ...touched(officeTable) })
      .where(eq(officeTable.id, params.id))
      .returning()
      .catch(taken(body.name ?? ''))
      .catch(unkept(body.name ?? before.name));
    audit({ type, id: params.id, title: after!.name, before: told(before), after: told(after!) });
    return { id: params.id };
  },

  async remove({ params }: { params: { id: number } }, { tx, user, audit }: Context & { user: Viewer }) {
    const row = await officeForUpdate(tx, params.id);
    requireReached(user, 'Delete', page, row);
    const rooms = await tx.$count(roomTable, and(eq(roomTable.office_id, row.id), eq(roomTable.is_deleted, false)));
    if (rooms > 0) throw officeInUse(row.name, rooms);
    await tx.update(officeTable).set({ is_deleted: true }).where(eq(officeTable.id, row.id));
    audit({ type, id: row.id, title: row.name, before: told(row) });
    return { id: row.id };
  },

  async choice(_input: object, { tx }: Context) {
    const known = await tx
      .select({ value: officeTable.id, label: officeTable.name })
      .from(officeTable)
      .where(and(alive, eq(officeTable.status, onOff.on)))
      .orderBy(asc(officeTable.order_id), asc(officeTable.id))
      .limit(100);
    const rooms = (await roomsOf(tx)).filter((room) => room.status === roomState.usable);
    return {
      value: known.map((office) => ({
        ...office,
        rooms: rooms
          .filter((room) => room.office_id === office.value)
          .map(({ id, name, capacity }) => ({ value: id, label: name, capacity })),
      })),
    };
  },
};
