import { fieldAccess, fieldType, isFileType, isPeopleType } from '../codes.ts';
import { at, type Problem } from '../check/problem.ts';
import { isComputed } from '../formula/formula.ts';
import { accessIn, columnIn, isWritable, rightIn, valueWithin } from './rights.ts';
import { maxChildren, type Children, type Column, type Definition, type Field, type State } from '../definition.ts';

/** The item that one lower ticket is begun for: a row of a table by its number from 1, or a person by user name. */
export interface ChildItem {
  item: string;
  fields: Record<string, unknown>;
}

type Form = Readonly<Record<string, unknown>>;
type Row = Readonly<Record<string, unknown>>;

/** The items for which a state begins lower tickets, with their initial values; null if it begins none itself. */
export function childItems({ fields }: Pick<Definition, 'fields'>, state: State, form: Form): ChildItem[] | null {
  const { children } = state;
  if (!children) return null;
  const value = form[children.each];
  const rows = fields.some(({ key, type }) => key === children.each && type === fieldType.table);
  const all = [value ?? []].flat().slice(0, maxChildren + 1);
  return all.map((one, index) => ({
    item: rows ? String(index + 1) : String(one),
    fields: valuesFrom(children, form, rows ? (one as Row) : {}, rows ? null : one),
  }));
}

function valuesFrom({ values }: Children, form: Form, row: Row, person: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, source]) => {
      const [where, from = ''] = source.split('.');
      const value = where === 'person' ? person : where === 'row' ? row[from] : form[from];
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
}

/** The table with the results of lower tickets in its rows; undefined if nothing is brought back. */
export function withResults(
  { fields }: Pick<Definition, 'fields'>,
  state: State,
  form: Form,
  done: readonly { item: string; form: Form }[],
): Record<string, unknown> | undefined {
  const { children } = state;
  const back = Object.entries(children?.back ?? {});
  const field = fields.find(({ key }) => key === children?.each);
  const rows = children && form[children.each];
  if (!children || !field || back.length === 0 || !Array.isArray(rows)) return undefined;
  // Columns hidden in the state keep their value.
  const seen = valueWithin(field, rightIn(state, field).columns, rows) as Row[];
  const table = seen.map((row, index) => {
    const result = done.find(({ item }) => item === String(index + 1));
    if (!result) return row;
    const brought = back.flatMap(([column, from]) => {
      const value = result.form[from];
      return value === undefined || value === null ? [] : [[column, value] as const];
    });
    return { ...row, ...Object.fromEntries(brought) };
  });
  return { [children.each]: table };
}

/** The number of lower tickets that must be over before a state is left; null for all. */
export function enoughOf({ children }: Pick<State, 'children'>, form: Form): number | null {
  const enough = children?.enough;
  if (enough === undefined) return null;
  const count = typeof enough === 'number' ? enough : form[enough];
  return typeof count === 'number' && count >= 1 ? Math.floor(count) : null;
}

/** Problems that keep a state from beginning tickets. */
export function childProblems(definition: Definition, state: State): Problem[] {
  const { children } = state;
  if (!children) return [];
  const say = (msg: string) => at(state, `环节“${state.name}”${msg}`);
  if (state.kind !== 'subticket') return [say('不是下级工单，不能自动发起')];
  const fieldOf = (key: string) => definition.fields.find((field) => field.key === key);
  const each = fieldOf(children.each);
  if (!each || (each.type !== fieldType.table && !isPeopleType(each.type)))
    return [say(`自动发起下级工单，要选择表格或人员字段，“${each?.name ?? children.each}”不是`)];
  const rows = each.type === fieldType.table;
  const columnOf = (key: string) => each.columns.find((column) => column.key === key);
  const whole = (part: Field | Column) => isFileType(part.type) || part.type === fieldType.table;
  const values = Object.entries(children.values).flatMap(([key, source]) => {
    const [where, from = ''] = source.split('.');
    if (where === 'person') return rows ? [say(`带给“${key}”的是人员，但它按表格的行发起`)] : [];
    const part = where === 'row' ? (rows ? columnOf(from) : undefined) : fieldOf(from);
    if (!part) return [say(`带给“${key}”的“${from}”不存在`)];
    return whole(part) ? [say(`带给“${key}”的“${part.name}”是附件、图片或表格，不能带到下级工单`)] : [];
  });
  const back = Object.keys(children.back ?? {}).flatMap((key) => {
    if (!rows) return [say('只有按表格的行发起时，才能把结果写回')];
    const column = columnOf(key);
    if (!column) return [say(`写回的列“${key}”不存在`)];
    if (isComputed(column)) return [say(`写回的列“${column.name}”由公式或日期算出，不能写回`)];
    const open = isWritable(columnIn(state, each, column)) || !isWritable(accessIn(state, each.key));
    return open ? [] : [say(`要把结果写回列“${column.name}”，请在字段权限里允许这个环节填写它`)];
  });
  const writes = [fieldAccess.required, fieldAccess.optional] as readonly unknown[];
  const shut = children.back && !writes.includes(state.access[children.each]);
  const files = children.back && each.columns.some((column) => isFileType(column.type));
  const enough = typeof children.enough === 'string' ? fieldOf(children.enough) : undefined;
  const counted = typeof children.enough !== 'string' || enough?.type === fieldType.int;
  return [
    ...values,
    ...back,
    ...(shut ? [say(`要把结果写回“${each.name}”，请在字段权限里允许这个环节填写它`)] : []),
    ...(files ? [say(`“${each.name}”里有附件或图片的列，不能写回结果`)] : []),
    ...(counted ? [] : [say(`办结几张就继续，要由整数字段决定，“${enough?.name ?? children.enough}”不是`)]),
  ];
}
