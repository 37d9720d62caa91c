import { and, eq, getTableColumns, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { contactTable, customerTable, projectTable } from './tables.ts';

/** For whoever watches the projects and joins them to what it found. */
export { customerTable, projectTable };

const page = 'customer/list';
const projectPage = 'customer/project';
const c = customerTable;
const p = projectTable;
const { search: _found, ...customerColumns } = getTableColumns(c);
const { search: _search, ...projectColumns } = getTableColumns(p);
type Who = Pick<Viewer, 'id'>;
type Locked = 'update' | 'no key update' | 'key share';

/** Whose a project is besides: who leads it; to read, whoever works on it or hears of its alarms too. `as` is its name in the statement. */
const worksOn = ({ id }: Who, code: PermissionCode, as: SQL): SQL =>
  code === 'Retrieve' || code === 'chuli'
    ? sql`(${as}.manager = ${id} or ${as}.members @> array[${id}]::int[] or ${as}.alert_users @> array[${id}]::int[])`
    : sql`${as}.manager = ${id}`;

/** Customers and projects whose names hold the words, for rows that show those names. */
export const customersNamed = (words: string): SQL =>
  sql`(select ${c.id} from ${c} where ${containsWords(c.name, words) ?? sql`false`})`;
export const projectsNamed = (words: string): SQL =>
  sql`(select ${p.id} from ${p} where ${containsWords(p.name, words) ?? sql`false`})`;

/** Customers that a code of some pages reaches: by department, one's own, and to read those of one's projects. */
export function customersWithin(viewer: Viewer, code: PermissionCode = 'Retrieve', ...pages: readonly string[]): SQL {
  const scope = scopeOf(viewer, code, ...(pages.length > 0 ? pages : [page]));
  if (scope.all) return sql`true`;
  const mine = sql`exists (select from ${p} mine where mine.customer_id = ${c.id} and not mine.is_deleted
    and ${worksOn(viewer, code, sql`mine`)})`;
  return or(
    scope.depts.size > 0 ? isAmong(c.dept_id, scope.depts) : undefined,
    eq(c.owner, viewer.id),
    code === 'Retrieve' ? mine : undefined,
  )!;
}

/** Projects that a code of some pages reaches: by their customer's department and owner, and one's own. */
export function projectsWithin(viewer: Viewer, code: PermissionCode = 'Retrieve', ...pages: readonly string[]): SQL {
  const scope = scopeOf(viewer, code, ...(pages.length > 0 ? pages : [projectPage]));
  if (scope.all) return sql`true`;
  const theirs = scope.depts.size > 0 ? sql`whose.dept_id = any(${sql.param([...scope.depts])}::int[]) or` : sql``;
  return sql`(${worksOn(viewer, code, sql`${p}`)} or exists (select from ${c} whose
    where whose.id = ${p.customer_id} and (${theirs} whose.owner = ${viewer.id})))`;
}

interface Wanted {
  code?: PermissionCode;
  pages?: readonly string[];
  lock?: Locked;
}

/** A customer that somebody may see, or do something with; refused as absent. */
export async function requireCustomer(tx: Db, viewer: Viewer, id: number, { code, pages = [], lock }: Wanted = {}) {
  const mine = and(eq(c.id, id), eq(c.is_deleted, false), customersWithin(viewer, code, ...pages));
  const query = tx.select(customerColumns).from(c).where(mine).$dynamic();
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw absent('该客户');
  return row;
}
/** The same of a project. */
export async function requireProject(tx: Db, viewer: Viewer, id: number, { code, pages = [], lock }: Wanted = {}) {
  const mine = and(eq(p.id, id), eq(p.is_deleted, false), projectsWithin(viewer, code, ...pages));
  const query = tx.select(projectColumns).from(p).where(mine).$dynamic();
  const [row] = await (lock ? query.for(lock) : query);
  if (!row) throw absent('该项目');
  return row;
}

const works = sql`u.is_active and not u.is_deleted`;
const some = (who: SQL) =>
  sql`nullif(array(select u.id from app_user u where u.id = any(${who}) and ${works} order by 1), '{}')`;
/** Of a statement over projects and their customers. Nobody of those named works here any more: an alarm is still somebody's. */
const told = sql<
  number[]
>`coalesce(${some(sql`${p.alert_users}`)}, ${some(sql`array[${p.manager}]`)}, ${some(sql`array[${c.owner}]`)},
  array(select distinct u.id from app_user u join held_role h on h.user_id = u.id join role r on r.id = h.role_id
    where r.code in ('customer_manager', 'super_admin') and ${works} order by 1 limit 20))`;
const hears = sql`not "customer_contact".is_deleted and "customer_contact".receive_sms and "customer_contact".mobile is not null`;
/** Contacts were named to hear of alarms, and none of them does any more. Of a statement over projects. */
export const isSilent = sql<boolean>`("customer_project".sms_switch and cardinality("customer_project".alert_contacts) > 0
  and not exists (select from customer_contact where "customer_contact".id = any("customer_project".alert_contacts) and ${hears}))`;

export interface AlertTargets {
  project: { id: number; name: string; sms_switch: boolean; service_level: number };
  customer: { id: number; name: string };
  /** Whoever is told: those named, else who leads the project, else who keeps the customer, else who looks after customers. */
  people: number[];
  /** Those that are told by text message: still there, with a number, and agreed to it. */
  contacts: { id: number; name: string; mobile: string }[];
}

/** Whom projects belong to and who is told of them: two statements, however many. */
export async function alertTargets(tx: Db, ids: readonly number[]): Promise<Map<number, AlertTargets>> {
  const rows = await tx
    .select({ project: p, customer: { id: c.id, name: c.name }, people: told })
    .from(p)
    .innerJoin(c, eq(c.id, p.customer_id))
    .where(isAmong(p.id, ids));
  const wanted = rows.flatMap(({ project }) => project.alert_contacts);
  const reached = await tx
    .select({ id: contactTable.id, name: contactTable.name, mobile: contactTable.mobile })
    .from(contactTable)
    .where(sql`${inArray(contactTable.id, wanted)} and ${hears}`);
  const known = new Map(reached.map((one) => [one.id, { ...one, mobile: tx.services.secretBox.open(one.mobile!) }]));
  return new Map(
    rows.map(({ project, customer, people }) => {
      const { id, name, sms_switch, service_level, alert_contacts } = project;
      return [
        id,
        {
          project: { id, name, sms_switch, service_level },
          customer,
          people,
          contacts: alert_contacts.flatMap((one) => known.get(one) ?? []),
        },
      ];
    }),
  );
}
