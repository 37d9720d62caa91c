import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldAccess, fieldType, type FieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { fieldItem } from '#modules/workflow/workflows/engine/field-item.ts';
import { rightIn, valueWithin } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowMark, rowsIn, type TableRow } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import type { State } from '#modules/workflow/workflows/engine/definition.ts';
import { Field } from '#modules/workflow/workflows/engine/form.ts';
import { readValue } from './values.ts';

const keys = ['a', 'b', 'c'] as const;
const field = Field.parse({
  id: 1,
  key: 'rows',
  name: '明细',
  type: fieldType.table,
  columns: keys.map((key) => ({ key, name: key, type: fieldType.string })),
});
const access = fc.constantFrom<FieldAccess>(
  ...Object.values(fieldAccess).filter((one) => one !== fieldAccess.required),
);
const rights = fc.dictionary(fc.constantFrom(...keys), access);
const row = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom('甲', '乙', '丙'));
const tables = fc.array(row, { maxLength: 6 });
/** A user's edits of the rows they received: which stay, in what order, with how many new ones between. */
const edits = fc.array(fc.record({ take: fc.nat(6), typed: row, keep: fc.boolean() }), { maxLength: 6 });

test('a writer who edits table rows never changes or receives cells that are hidden from them or read-only', () => {
  fc.assert(
    fc.property(rights, tables, edits, (said, before, edited) => {
      const state = { access: { rows: fieldAccess.optional }, columns: { rows: said } } as Pick<
        State,
        'access' | 'columns'
      >;
      const right = rightIn(state, field);
      const hidden = keys.filter((key) => said[key] === fieldAccess.hidden);
      const closed = keys.filter((key) => said[key] === fieldAccess.hidden || said[key] === fieldAccess.read);
      const item = fieldItem(field, 1, right, before, '');
      const sent = rowsIn(item.field_value);
      for (const key of hidden) {
        expect(item.columns.some((column) => column.field_key === key)).toBe(false);
        expect(sent.some((one) => Object.hasOwn(one, key))).toBe(false);
      }
      expect(sent.every((one) => rowMark in one)).toBe(closed.length > 0 || before.length === 0);
      // The page returns rows it received, each once, and new ones; only writable cells are changed.
      const taken = new Set<number>();
      const rows = edited.flatMap(({ take, typed, keep }): { was: TableRow; row: TableRow }[] => {
        const own = Object.fromEntries(Object.entries(typed).filter(([key]) => !closed.includes(key as 'a')));
        const was = sent[take];
        if (!keep || !was || taken.has(take) || closed.length === 0)
          return [{ was: {}, row: closed.length > 0 ? { ...own, [rowMark]: 0 } : own }];
        taken.add(take);
        return [{ was: before[take]!, row: { ...was, ...own } }];
      });
      const read = readValue(
        field,
        rows.map((one) => one.row),
        { columns: right.columns, before },
      );
      expect(read).toHaveProperty('value');
      const after = rowsIn('value' in read ? read.value : null);
      expect(after.map((one) => closed.map((key) => one[key]))).toEqual(
        rows.map(({ was }) => closed.map((key) => was[key])),
      );
      expect(valueWithin(field, right.columns, after)).toEqual(
        rows.map(({ row: { [rowMark]: _mark, ...cells } }) => cells),
      );
    }),
    { numRuns: 1000 },
  );
});

test('a hidden or read-only cell cannot be written, whatever row mark is sent', () => {
  fc.assert(
    fc.property(tables, fc.nat(7), fc.constantFrom(fieldAccess.hidden, fieldAccess.read), (before, mark, shut) => {
      const state = { access: { rows: fieldAccess.optional }, columns: { rows: { b: shut } } } as Pick<
        State,
        'access' | 'columns'
      >;
      const read = readValue(field, [{ a: '甲', b: '改', [rowMark]: mark }], {
        columns: rightIn(state, field).columns,
        before,
      });
      expect(read).toHaveProperty('msg');
    }),
    { numRuns: 300 },
  );
});
