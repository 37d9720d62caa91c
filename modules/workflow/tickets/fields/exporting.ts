import { inArray } from 'drizzle-orm';
import { invalid } from '#kernel/contract/refusal.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page } from '#kernel/server/list/paging.ts';
import { fieldType, isFileType, isNumberType, isShownOnly } from '#modules/workflow/workflows/engine/codes.ts';
import type { Column, Definition, Field } from '#modules/workflow/workflows/engine/definition.ts';
import { shows } from '#modules/workflow/workflows/engine/fields/askable.ts';
import { columnHiddenIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowsIn, type TableRow } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { versionsOf } from '#modules/workflow/workflows/service.ts';
import type { tickets } from '../contract.ts';
import type { Row } from '../contract/shapes.ts';
import { namedIn, shownValue, type Names } from '../engine/fields.ts';
import { namesFor } from '../store/names.ts';
import { ticketTable } from '../tables.ts';

type Asked = QueryOf<typeof tickets.list>;
type Cells = Record<string, string | number | null>;
interface WithForms extends Page<Row> {
  more_columns?: { key: string; title: string }[];
}

const never: readonly number[] = [fieldType.richtext, fieldType.records];
const isCell = ({ type }: Field | Column) =>
  !never.includes(type) && !isShownOnly(type) && !isFileType(type) && type !== fieldType.table;

/**
 * Adds to an exported page the form fields of one workflow that everybody who sees its tickets sees, in one's own tickets also those one filled in: a
 * column for each field and, for the table in `rows_of`, a line for each row. Left out are table columns that some state hides, and tickets whose
 * records the reader does not see (`closed`).
 */
export async function withForms(
  tx: Db,
  page: Page<Row>,
  asked: Asked,
  closed: ReadonlySet<number>,
): Promise<WithForms> {
  const [workflow, ...others] = asked.workflow_ids ?? [];
  if (!asked.export || workflow === undefined || others.length > 0) return page;
  const versions = await versionsOf(tx, workflow);
  const own = asked.category === 'owner';
  const shown = new Map(
    versions.map(({ id, definition }) => [
      id,
      definition.fields.flatMap((field) => (shows(definition, field.key, own) ? shownToAll(definition, field) : [])),
    ]),
  );
  const fields = newest([...shown.values()].flat());
  const table = fields.find(({ key, type }) => key === asked.rows_of && type === fieldType.table);
  if (asked.rows_of !== undefined && !table)
    throw invalid([{ field: 'rows_of', label: '导出明细', msg: `“${asked.rows_of}”不是能导出的表格字段` }]);
  const plain = fields.filter(isCell);
  const columns = (table?.columns ?? []).filter(isCell);
  const forms = await tx
    .select({ id: ticketTable.id, version: ticketTable.version_id, form: ticketTable.form })
    .from(ticketTable)
    .where(
      inArray(
        ticketTable.id,
        page.value.map(({ id }) => id).filter((id) => !closed.has(id)),
      ),
    );
  const ownOf = (version: number, key: string) => shown.get(version)?.find((field) => field.key === key);
  const named = forms.flatMap(({ form }) =>
    [...plain, ...(table ? [table] : [])].flatMap((field) => namedIn(field, form[field.key])),
  );
  const names = await namesFor(tx, named);
  const byTicket = new Map(
    forms.map(({ id, version, form }) => [
      id,
      {
        more: cellsOf(
          plain.filter(({ key }) => ownOf(version, key)),
          form,
          names,
          '',
        ),
        lines:
          table && ownOf(version, table.key)
            ? rowsIn(form[table.key]).map((row) =>
                cellsOf(both(columns, ownOf(version, table.key)?.columns), row, names, inTable),
              )
            : [],
      },
    ]),
  );
  return {
    ...page,
    value: page.value.map((row) => ({ ...row, ...byTicket.get(row.id) })),
    more_columns: [
      ...plain.map(({ key, name }) => ({ key, title: name })),
      ...columns.map(({ key, name }) => ({ key: inTable + key, title: `${table?.name}：${name}` })),
    ],
  };
}

function shownToAll(definition: Definition, field: Field): Field {
  return { ...field, columns: field.columns.filter(({ key }) => !columnHiddenIn(definition, field.key, key)) };
}

const both = (columns: readonly Column[], others: readonly Column[] = []) =>
  columns.filter(({ key }) => others.some((other) => other.key === key));

/** Separates a table's columns, which may have the same key as a field. */
const inTable = '.';

/** The first field of each key: versions come newest first. */
const newest = (fields: readonly Field[]): Field[] => [
  ...new Map(fields.toReversed().map((field) => [field.key, field])).values(),
];

function cellsOf(parts: readonly (Field | Column)[], values: TableRow, names: Names, before: string): Cells {
  return Object.fromEntries(
    parts.map((part) => {
      const value = values[part.key];
      const asNumber = isNumberType(part.type) && typeof value === 'number';
      return [before + part.key, asNumber ? value : shownValue(part as Field, value, names) || null];
    }),
  );
}
