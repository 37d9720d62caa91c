import { and, eq, inArray } from 'drizzle-orm';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { implement, type Context, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { userType } from '../../contract/codes.ts';
import {
  superAccount,
  bulk,
  heldAlready,
  holdsWork,
  notAllChanged,
  nothingToChange,
  partsLeft,
  unknownSource,
  type BulkChange,
  type BulkRow,
} from '../../contract/users/bulk.ts';
import { roleText, type UserRow, type UserUpdate } from '../../contract/users.ts';
import { deptPersonTable, userRoleTable, userTable } from '../../tables.ts';
import { partNames } from '../depts/dept-delegation.ts';
import { userToChange, usersWithin } from '../depts/reach.ts';
import { changeUser } from './user-change.ts';
import { isHeld, refuseUntil } from './user-parts.ts';
import { selectUsers, userFacts, userRows, type Bindings } from './user-rows.ts';

/** The result for one person: the state before and after, or the reason for no change. */
type Tried = { id: number } & (
  | { before: UserRow; after: UserRow; why?: undefined }
  | { before: UserRow | null; after?: undefined; why: Refusal }
);

/** Thrown after all were tried, to roll everything back. */
class OnlyTried extends Error {
  readonly tried: Tried[];
  constructor(tried: Tried[]) {
    super('only tried');
    this.tried = tried;
  }
}

/** Changes many people by the same function as one, so that the same rights apply. */
export function bulkModule({ bindings }: { bindings: Pick<Bindings, 'boundAmong'> }): ServerModule {
  const rowOf = async (tx: Db, viewer: Viewer, id: number): Promise<UserRow> => {
    const [row] = await userRows(tx, viewer, await selectUsers(tx).where(eq(userTable.id, id)), bindings);
    if (!row) throw absent('用户');
    return row;
  };

  /** In sequence, in the common locking order; a refusal for one leaves the others. */
  async function tryEach(
    tx: Db,
    { user: viewer, now }: Pick<Context, 'now'> & { user: Viewer },
    ids: readonly number[],
    change: BulkChange,
  ): Promise<Tried[]> {
    const { bodyFor, untilOf } = await bodiesOf(tx, { user: viewer, now }, change);
    // All at once, in the common locking order: changing one takes locks that last.
    await tx
      .select({ id: userTable.id })
      .from(userTable)
      .where(inArray(userTable.id, [...ids]))
      .orderBy(userTable.id)
      .for('update');
    const tried: Tried[] = [];
    for (const id of [...new Set(ids)].toSorted((one, other) => one - other)) {
      let before: UserRow | null = null;
      try {
        const after = await savepoint(tx, async () => {
          const found = await userToChange(tx, viewer, id, 'Update');
          before = await rowOf(tx, viewer, id);
          const body = bodyFor(before);
          if (!body) throw nothingToChange(before.alias);
          await changeUser(tx, viewer, found, before, body, untilOf);
          // The rules of rights come first, so a preview says no more about somebody than a change of that person alone.
          if (found.type_id === userType.superAdmin) throw superAccount(found.alias);
          if (change.what === 'disable') await refuseHolding(tx, before);
          if (change.what === 'move') await refuseLeaving(tx, before);
          return rowOf(tx, viewer, id);
        });
        tried.push({ id, before: before!, after });
      } catch (stop) {
        if (!(stop instanceof Refusal)) throw stop;
        tried.push({ id, before, why: stop });
      }
    }
    return tried;
  }

  return implement('people', bulk, {
    async preview({ body: { ids, change } }, { tx, user, now }) {
      const tried = await savepoint(tx, async () => {
        throw new OnlyTried(await tryEach(tx, { user, now }, ids, change));
      }).catch((stop: unknown) => {
        if (stop instanceof OnlyTried) return stop.tried;
        throw stop;
      });
      return { value: tried.map((one) => shown(one, change)) };
    },

    async apply({ body: { ids, change } }, { tx, user, now, audit }) {
      const tried = await tryEach(tx, { user, now }, ids, change);
      for (const { before, after, why } of tried) {
        if (why) throw notAllChanged(why.message);
        audit({
          type: '用户',
          id: before!.id,
          title: before!.alias,
          before: userFacts(before!),
          after: userFacts(after!),
        });
      }
      return { count: tried.length };
    },
  });
}

interface Wanted {
  bodyFor(row: UserRow): Pick<UserUpdate, 'dept' | 'depts' | 'is_active' | 'roles'> | null;
  untilOf(roleId: number): string | null;
}

/** The change for each of them; null if there is nothing to change. */
async function bodiesOf(
  tx: Db,
  { user: viewer, now }: Pick<Context, 'now'> & { user: Viewer },
  change: BulkChange,
): Promise<Wanted> {
  const untilOf = () => null;
  if (change.what === 'disable') return { untilOf, bodyFor: (row) => (row.is_active ? { is_active: false } : null) };
  if (change.what === 'move')
    return {
      untilOf,
      bodyFor: ({ dept, depts }) =>
        dept === change.dept ? null : { dept: change.dept, depts: depts.filter((one) => one !== change.dept) },
    };
  const until = change.what === 'take' ? null : (change.until ?? null);
  // A temporary role is copied with its last day at the latest.
  const ends =
    change.what === 'copy'
      ? new Map([...(await rolesHeldBy(tx, viewer, change.from))].map(([role, own]) => [role, earlier(own, until)]))
      : new Map(change.roles.map((role) => [role, until]));
  const roles = [...ends.keys()];
  if (until !== null) await refuseUntil(tx, roles, until, now);
  const wanted = (held: readonly number[]) =>
    change.what === 'take' ? held.filter((one) => !roles.includes(one)) : [...new Set([...held, ...roles])];
  return {
    untilOf: (role) => ends.get(role) ?? null,
    bodyFor(row) {
      const other = row.roles.find(({ id, until }) => change.what === 'give' && ends.has(id) && until !== ends.get(id));
      if (other) throw heldAlready(row.alias, roleText(other));
      const held = row.roles.map((role) => role.id);
      const next = wanted(held);
      return next.length === held.length ? null : { roles: next };
    },
  };
}

/** The first of two days, each of which may be missing. */
const earlier = (one: string | null, other: string | null) =>
  [one, other].filter((day) => day !== null).toSorted()[0] ?? null;

/** The roles that somebody within the scope was given by hand. */
async function rolesHeldBy(tx: Db, viewer: Viewer, from: number): Promise<Map<number, string | null>> {
  const rows = await tx
    .select({ role: userRoleTable.role_id, until: userRoleTable.until })
    .from(userTable)
    .leftJoin(userRoleTable, and(eq(userRoleTable.user_id, userTable.id), isHeld))
    .where(and(inArray(userTable.id, [from]), usersWithin(viewer, 'Retrieve', 'system/user')));
  if (rows.length === 0) throw unknownSource();
  return new Map(rows.flatMap(({ role, until }) => (role === null ? [] : [[role, until] as const])));
}

/** Things that need a successor would stay with a closed account if nobody checked. */
async function refuseHolding(tx: Db, { id, alias }: UserRow): Promise<void> {
  let count = 0;
  for (const { ends, openOf } of tx.services.product.leaves) if (!ends) count += (await openOf(tx, id, 1)).count;
  if (count > 0) throw holdsWork(alias, count);
}

/** Somebody moved away would still head the department that they leave. */
async function refuseLeaving(tx: Db, { id, alias, dept, dept_name }: UserRow): Promise<void> {
  if (dept === null) return;
  const [held] = await tx
    .select({ part: deptPersonTable.part })
    .from(deptPersonTable)
    .where(and(eq(deptPersonTable.user_id, id), eq(deptPersonTable.dept_id, dept)))
    .orderBy(deptPersonTable.part)
    .limit(1);
  if (held) throw partsLeft(alias, dept_name, partNames[held.part]);
}

function shown({ id, before, after, why }: Tried, { what }: BulkChange): BulkRow {
  const words = (row: UserRow | null | undefined) => {
    if (!row) return '';
    if (what === 'disable') return row.is_active ? '启用' : '停用';
    return what === 'move' ? row.dept_name : row.roles.map(roleText).join('、');
  };
  const holds = (why?.data as { holds?: boolean } | null | undefined)?.holds === true;
  const { username = '', alias = '' } = before ?? {};
  return { id, username, alias, before: words(before), after: words(after), why: why?.message ?? '', holds };
}
