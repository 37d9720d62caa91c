import { and, eq, getTableColumns, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { contactTable, customerTable, projectTable } from './tables.ts';

/** For modules that watch projects and join them in their statements. */
export { customerTable, projectTable };

const page = 'customer/list';
const projectPage = 'customer/project';
const c = customerTable;
const p = projectTable;
const { search: _found, ...customerColumns } = getTableColumns(c);
const { search: _search, ...projectColumns } = getTableColumns(p);
type Who = Pick<Viewer, 'id'>;
type Locked = 'update' | 'no key update' | 'key share';

/** Condition: the user manages the project; for reading, also works on it or receives its alarms. `as` is the table's alias. */
const worksOn = ({ id }: Who, code: PermissionCode, as: SQL): SQL =>
  code === 'Retrieve' || code === 'chuli'
    ? sql`(${as}.manager = ${id} or ${as}.members @> array[${id}]::int[] or ${as}.alert_users @> array[${id}]::int[])`
    : sql`${as}.manager = ${id}`;

/** Condition: the customer's or project's name contains the words, for rows that show those names. */
export const customersNamed = (words: string): SQL =>
  sql`(select ${c.id} from ${c} where ${containsWords(c.name, words) ?? sql`false`})`;
export const projectsNamed = (words: string): SQL =>
  sql`(select ${p.id} from ${p} where ${containsWords(p.name, words) ?? sql`false`})`;

/** Condition: a permission on the pages reaches the customer: by department, as its owner, and for reading through own projects. */
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

/** Condition: a permission on the pages reaches the project: by its customer's department and owner, and as an own project. */
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

/** A customer that the user may see, or act on with a permission; others answer as absent. */
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
/** The recipients of an alarm, with fallbacks if all named people have left. For statements over projects and their customers. */
const told = sql<
  number[]
>`coalesce(${some(sql`${p.alert_users}`)}, ${some(sql`array[${p.manager}]`)}, ${some(sql`array[${c.owner}]`)},
  array(select distinct u.id from app_user u join held_role h on h.user_id = u.id join role r on r.id = h.role_id
    where r.code in ('customer_manager', 'super_admin') and ${works} order by 1 limit 20))`;
const hears = sql`not "customer_contact".is_deleted and "customer_contact".receive_sms and "customer_contact".mobile is not null`;
/** Condition: contacts were named for alarms and none of them receives any now. For statements over projects. */
export const isSilent = sql<boolean>`("customer_project".sms_switch and cardinality("customer_project".alert_contacts) > 0
  and not exists (select from customer_contact where "customer_contact".id = any("customer_project".alert_contacts) and ${hears}))`;

export interface AlertTargets {
  project: { id: number; name: string; sms_switch: boolean; service_level: number };
  customer: { id: number; name: string };
  /** The recipients: the people named, else the project's manager, else the customer's owner, else the customer managers. */
  people: number[];
  /** The contacts who get text messages: not deleted, with a number, and with consent. */
  contacts: { id: number; name: string; mobile: string }[];
}

/** The customers of projects, and the recipients of their alarms; two statements in all. */
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
