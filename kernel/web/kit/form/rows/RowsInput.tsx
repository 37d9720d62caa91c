import type { ReactNode } from 'react';
import type { core } from 'zod';
import { pasteBlock } from '#kernel/contract/sheet/block.ts';
import { readCell, type CellKind } from '#kernel/contract/sheet/cells.ts';
import { FieldInput, type FieldControl, type NamedField } from '../FieldInput.tsx';
import { fieldsOf, type Instead } from '../fields.ts';
import { ruleOf, rowsOf, type FieldRule } from '../rules.ts';
import type { GridColumn } from './GridRow.tsx';
import { RowGrid } from './RowGrid.tsx';

type Row = Readonly<Record<string, unknown>>;
type Column = GridColumn & { field: NamedField; rule: FieldRule };

interface Props {
  control: FieldControl;
  /** The schema of the list: the columns take the titles, kinds and choices of its row. */
  of: core.$ZodType;
  /** Changes to columns; null leaves one out. */
  instead?: Instead;
  /** Returns a new row. */
  fresh: (rows: readonly Row[]) => Row;
  add: string;
  /** Returns a row after a cell changed, with the values that depend on the cell. */
  settled?: (row: Row, key: string) => Row;
  tools?: ReactNode;
}

/** Rows within a form, from the schema of their list. */
export function RowsInput({ control, of, instead, fresh, add, settled = (row) => row, tools }: Props) {
  const { value, onChange, ...rest } = control;
  const rows = Array.isArray(value) ? (value as readonly Row[]) : [];
  const { row: shape, max } = rowsOf(of);
  const all = fieldsOf(shape, instead).map((field): Column => {
    const rule = ruleOf(shape[field.name]!);
    const isText = field.kind === 'textarea' || (field.kind === undefined && rule.type === 'text');
    // A cell has only one line.
    const inCell = isText ? { ...field, kind: 'text' as const } : field;
    return { key: field.name, title: field.label, required: rule.required, field: inCell, rule };
  });
  // A column that applies to no row is left out.
  const columns = all.filter(({ field }) => !field.when || rows.some(field.when));
  const columnOf = (key: string) => columns.find((one) => one.key === key)!;
  const isShown = ({ field }: Column, row: Row) => !field.when || field.when(row);
  return (
    <RowGrid<Row>
      control={rest}
      rows={rows}
      columns={columns}
      max={max}
      add={add}
      fresh={() => fresh(rows)}
      onRows={(next) => onChange?.(next)}
      onCell={(row, key, cell) => settled({ ...row, [key]: cell }, key)}
      paste={(text, place) => {
        // A value that does not fit its column stays as typed, so that the form can report it.
        const next = pasteBlock<Row>(text, rows, place, (row, at, cell, made) => {
          const into = row ?? fresh(made);
          const column = columns[at];
          if (!column || !isShown(column, into) || column.rule.type === 'list') return into;
          return settled({ ...into, [column.key]: readPasted(column, cell) }, column.key);
        });
        return next && { rows: next, troubles: [] };
      }}
      cell={({ key }, inner, row) => {
        const column = columnOf(key);
        return (
          isShown(column, row) && <FieldInput field={column.field} rule={column.rule} control={inner} values={row} />
        );
      }}
      tools={() => tools}
    />
  );
}

const cellKinds: Partial<Record<string, CellKind>> = { date: 'day', money: 'money', number: 'number' };
const yes = ['是', '√', '1'];
const no = ['否', '', '0'];

/** Parses a cell of a spreadsheet for a column; undefined if it has no meaning there, so that the field is empty and required. */
function readPasted({ field, rule }: Column, cell: string): unknown {
  const kind = field.kind ?? rule.type;
  if (field.options) return field.options.find(({ label }) => label === cell)?.value;
  if (kind === 'switch' || kind === 'flag') return yes.includes(cell) ? true : no.includes(cell) ? false : undefined;
  if (cell === '' && cellKinds[kind]) return undefined;
  const read = readCell(cellKinds[kind], cell);
  if ('asks' in read) return undefined;
  if (kind !== 'money' && kind !== 'number') return read.text;
  const number = Number(read.text);
  return read.text !== '' && Number.isFinite(number) ? number : undefined;
}
