import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Field } from '../../../engine/form.ts';
import { fieldItem } from '../../../engine/field-item.ts';
import { openColumns } from '../../../engine/fields/rights.ts';
import { settledItems } from '../../../engine/fields/settled-items.ts';
import type { Formula } from '../../../engine/formula/formula.ts';
import { TicketFields } from '../../fields/TicketFields.tsx';
import { FormulaInput } from './FormulaInput.tsx';

servedPage();
const field = (id: number, key: string, name: string, type: number, more: object = {}) =>
  Field.parse({ id, key, name, type, ...more });
const price = field(1, 'price', '单价', 16);
const count = field(2, 'count', '数量', 10);

test('a formula is typed with field names, and one that cannot be parsed is reported and changes nothing', () => {
  const kept: (Formula | undefined)[] = [];
  show(<FormulaInput id="one" value={undefined} fields={[price, count]} onChange={(next) => kept.push(next)} />);
  const box = screen.getByLabelText('计算公式');
  fireEvent.change(box, { target: { value: '[单价] * [个数]' } });
  expect(screen.getByText('没有“个数”这个字段')).toBeTruthy();
  expect(kept).toEqual([]);
  fireEvent.change(box, { target: { value: '[单价] * [数量]' } });
  expect(kept).toEqual([
    {
      op: 'mul',
      of: [
        { op: 'field', field: 'price' },
        { op: 'field', field: 'count' },
      ],
    },
  ]);
});

test('a form recalculates while somebody types, and shows and requires the fields that depend on it', () => {
  const of = [
    { op: 'field', field: 'price' },
    { op: 'field', field: 'count' },
  ];
  const over = { op: 'gt', field: 'total', value: 100 };
  const items = [
    price,
    count,
    field(3, 'total', '总额', 16, { formula: { op: 'mul', of } }),
    field(4, 'why', '说明', 5, { shown_when: over, required_when: over }),
  ].map((one, at) => fieldItem(one, at, { access: 3, columns: openColumns(one) }, null, ''));
  function Form() {
    const [edited, setEdited] = useState<Record<string, unknown>>({ price: 60.5 });
    return (
      <TicketFields
        items={settledItems(items, edited)}
        edited={edited}
        errors={[]}
        onEdit={(key, value) => setEdited({ ...edited, [key]: value })}
      />
    );
  }
  show(<Form />);
  expect(screen.queryByLabelText('说明')).toBe(null);
  fireEvent.change(screen.getByLabelText('数量'), { target: { value: '2' } });
  expect(screen.getByText('121.00 元')).toBeTruthy();
  expect(screen.getByLabelText('说明')).toBeTruthy();
});
