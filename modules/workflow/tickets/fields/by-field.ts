import { inArray, sql, type SQL } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { fieldType, isPathType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Field } from '#modules/workflow/workflows/engine/definition.ts';
import { versionsOf, type Version } from '#modules/workflow/workflows/service.ts';
import { ranged, several, shows, single, sortable, texts } from '#modules/workflow/workflows/engine/fields/askable.ts';
import type { tickets } from '../contract.ts';
import { readValue } from '../engine/form/values.ts';
import { readable } from '../records/closed.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor } from '../visibility/viewer.ts';

type Asked = QueryOf<typeof tickets.list>;
type Wanted = NonNullable<Asked['fields']>[string];
type Range = Extract<Wanted, object>;

export interface ByField {
  filters: SQL[];
  /** The order of the list; null if it is not by one of the form's fields. */
  order: { target: SQL; descending: boolean } | null;
}

/**
 * The conditions of a list on the fields of one workflow. Only fields visible to everybody who sees a ticket may be used; in one's own tickets also
 * those of the start, and of tickets whose records somebody sees: a filter must not reveal what the form hides. Throws `invalid` at the parameter.
 */
export async function byField(tx: Db, asked: Asked, user: Viewer): Promise<ByField> {
  const wanted = Object.entries(asked.fields ?? {});
  const sort = asked.field_sort;
  if (wanted.length === 0 && !sort) return { filters: [], order: null };
  const [workflow, ...more] = asked.workflow_ids ?? [];
  if (workflow === undefined || more.length > 0)
    throw wrong('workflow_ids', '流程', '按表单字段筛选时，请选择一个流程');
  const versions = await versionsOf(tx, workflow);
  const own = asked.category === 'owner';
  const open = own ? undefined : await readable(tx, await ticketViewerFor(tx, user, undefined), workflow);
  return {
    filters: (open ? [open] : []).concat(
      wanted.map(([key, value]) => {
        const { field, open } = askable(versions, key, own);
        return sql`${inArray(ticketTable.version_id, open)} and ${conditionOf(field, value)}`;
      }),
    ),
    order: sort ? orderOf(versions, sort, own) : null,
  };
}

const wrong = (field: string, label: string, msg: string) => invalid([{ field, label, msg }]);

/** A field by the newest version that has it, and the versions whose tickets show it. */
function askable(versions: readonly Version[], key: string, own: boolean): { field: Field; open: number[] } {
  const newest = versions.find(({ definition }) => shows(definition, key, own));
  const field = newest?.definition.fields.find((one) => one.key === key);
  if (!field) throw wrong('fields', '表单字段', `“${key.slice(0, 50)}”不能用来筛选或排序`);
  const same = (definition: Definition) => definition.fields.some((one) => one.key === key && one.type === field.type);
  const open = versions.filter(({ definition }) => shows(definition, key, own) && same(definition));
  return { field, open: open.map((version) => version.id) };
}

function conditionOf(field: Field, wanted: Wanted): SQL {
  const { form } = ticketTable;
  const bad = (msg: string) => wrong('fields', field.name, msg);
  const read = (raw: unknown, type = field.type): unknown => {
    const value = readValue({ ...field, type }, raw);
    if ('msg' in value) throw bad(value.msg);
    return value.value;
  };
  if (typeof wanted === 'object') {
    if (!ranged.includes(field.type)) throw bad('不能按范围筛选');
    const at = (raw: unknown, type = field.type) => sql`${JSON.stringify(read(raw, type))}::jsonb`;
    if (field.type === fieldType.dateRange) return overlaps(field, wanted, (raw) => at(raw, fieldType.date));
    const parts = [
      ...(wanted.gte === undefined ? [] : [sql`${form} -> ${field.key} >= ${at(wanted.gte)}`]),
      ...(wanted.lte === undefined ? [] : [sql`${form} -> ${field.key} <= ${at(wanted.lte)}`]),
    ];
    return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
  }
  if (texts.includes(field.type)) {
    return contains(sql`${form} ->> ${field.key}`, String(wanted));
  }
  // Uses containment, because the index of the form supports it.
  const holds = (value: unknown) => sql`${form} @> ${JSON.stringify({ [field.key]: value })}::jsonb`;
  // A search for a province finds the places in it.
  if (isPathType(field.type)) return holds([String(wanted)]);
  if (several.includes(field.type)) return holds(read([wanted]));
  if (!single.includes(field.type)) throw bad('不能用来筛选');
  return holds(read(wanted));
}

/** Ranges that share a day with the requested one. */
function overlaps(field: Field, wanted: Range, day: (raw: unknown) => SQL): SQL {
  const { form } = ticketTable;
  const parts = [
    ...(wanted.gte === undefined ? [] : [sql`${form} -> ${field.key} -> 1 >= ${day(wanted.gte)}`]),
    ...(wanted.lte === undefined ? [] : [sql`${form} -> ${field.key} -> 0 <= ${day(wanted.lte)}`]),
  ];
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

function orderOf(versions: readonly Version[], sort: string, own: boolean): NonNullable<ByField['order']> {
  const descending = sort.startsWith('-');
  const { field, open } = askable(versions, sort.replace(/^-/, ''), own);
  if (!sortable.includes(field.type)) throw wrong('field_sort', field.name, '不能用来排序');
  // JSON null sorts below everything: tickets without a value come last in descending order.
  const target = sql`coalesce(case when ${inArray(ticketTable.version_id, open)} then ${ticketTable.form} -> ${field.key} end, 'null'::jsonb)`;
  return { target, descending };
}
