import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { ok } from '#kernel/web/testing/server.ts';
import { fieldType } from '../../engine/codes.ts';
import { Condition } from '../../engine/condition.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { ConditionBuilder } from './ConditionBuilder.tsx';
import { leafFor, opsOf, withOp } from './operators.ts';

const { definition } = leave;
const { fields } = definition;
const field = (key: string) => fields.find((one) => one.key === key);
const names = {
  person: String,
  dept: String,
  role: String,
  group: String,
  cards: () => [],
  roles: [],
  groups: [],
  meanings: [],
};
const server = servedPage();
let latest: Condition | null;

beforeAll(() => {
  server.answers(() => ok([]));
});

function Held({ first }: { first: Condition }) {
  const [value, setValue] = useState<Condition | null>(first);
  latest = value;
  return value && <ConditionBuilder definition={definition} names={names} value={value} onChange={setValue} />;
}

async function pick(label: string, option: string, at = 0) {
  const select = screen.getAllByLabelText(label)[at] as HTMLElement;
  fireEvent.mouseDown(select.closest('.ant-select') ?? select);
  fireEvent.click(await screen.findByTitle(option));
}

test('conditions compare numbers by order, choices by equality, and files by presence', () => {
  expect(opsOf(field('days'))).toContain('gt');
  expect(opsOf(field('kind'))).toEqual(['eq', 'ne', 'in', 'not_in', 'empty', 'not_empty']);
  expect(opsOf(field('proof'))).toEqual(['empty', 'not_empty']);
  expect(opsOf({ ...fields[0], type: fieldType.bool } as (typeof fields)[0])).toEqual(['eq']);
});

test('every type of field may be used in a condition, at least by whether it is filled in', () => {
  for (const type of Object.values(fieldType)) {
    const one = { ...fields[0]!, type, choices: [{ value: 'a', label: '甲' }] };
    const rows = opsOf(one).map((op) => withOp({ op: 'empty', field: one.key }, op, one));
    expect(rows.length, `${type}`).toBeGreaterThan(0);
    for (const row of rows.filter(({ op }) => op !== 'in' && op !== 'not_in'))
      expect(Condition.safeParse(row).success, `${type} ${row.op}`).toBe(true);
  }
});

test('a condition row switched to another field begins with a value of that field’s type', () => {
  expect(leafFor('days', fields)).toEqual({ op: 'gt', field: 'days', value: 0 });
  expect(leafFor('kind', fields)).toEqual({ op: 'eq', field: 'kind', value: 'personal' });
  expect(leafFor('#dept', fields)).toEqual({ op: 'dept_in', value: [] });
  expect(leafFor('#superior', fields)).toEqual({ op: 'superior_of', level: 1, value: [] });
});

test('the value of a condition row is kept if it fits the new operator', () => {
  const one = { op: 'eq' as const, field: 'kind', value: 'sick' };
  const many = withOp(one, 'in', field('kind'));
  expect(many).toEqual({ op: 'in', field: 'kind', value: ['sick'] });
  expect(withOp(many, 'ne', field('kind'))).toEqual({ op: 'ne', field: 'kind', value: 'sick' });
  expect(withOp(many, 'empty', field('kind'))).toEqual({ op: 'empty', field: 'kind' });
});

test('condition rows are added, combined, compared and removed without writing code', async () => {
  show(<Held first={{ op: 'gt', field: 'days', value: 3 }} />);
  expect(screen.getByText('天数 大于 3')).toBeDefined();

  fireEvent.click(screen.getByRole('button', { name: '添加条件' }));
  expect(latest).toMatchObject({ op: 'and', of: [{ field: 'days' }, { field: 'kind', value: 'personal' }] });
  fireEvent.click(screen.getByText('满足一个（或）'));
  expect(screen.getByText('天数 大于 3 或 请假类型 等于 事假')).toBeDefined();

  await pick('比较方式', '小于等于');
  expect(latest).toMatchObject({ op: 'or', of: [{ op: 'lte', field: 'days', value: 3 }, {}] });

  fireEvent.click(screen.getAllByRole('button', { name: '删除这一行条件' })[0] as HTMLElement);
  expect(latest).toEqual({ op: 'eq', field: 'kind', value: 'personal' });
  fireEvent.click(screen.getByRole('button', { name: '删除这一行条件' }));
  expect(latest).toBeNull();
});

test('a single condition row may be negated, stays negated while it is edited, and can be restored', async () => {
  show(<Held first={{ op: 'gt', field: 'days', value: 3 }} />);
  fireEvent.click(screen.getByRole('button', { name: '条件取反', pressed: false }));
  expect(latest).toEqual({ op: 'not', of: { op: 'gt', field: 'days', value: 3 } });
  expect(screen.getByText('并非（天数 大于 3）')).toBeDefined();
  await pick('比较方式', '小于');
  expect(latest).toEqual({ op: 'not', of: { op: 'lt', field: 'days', value: 3 } });
  fireEvent.click(screen.getByRole('button', { name: '添加条件' }));
  expect(latest).toMatchObject({ op: 'and', of: [{ op: 'not', of: { op: 'lt' } }, { field: 'kind' }] });
  fireEvent.click(screen.getByRole('button', { name: '条件取反', pressed: true }));
  expect(latest).toMatchObject({ op: 'and', of: [{ op: 'lt', field: 'days', value: 3 }, { field: 'kind' }] });
});

test('every condition that the builder produces can be stored, however deep or negated', () => {
  const { container } = show(<Held first={{ op: 'gt', field: 'days', value: 3 }} />);
  for (let left = 8; left > 0; left -= 1) {
    const deeper = screen.queryAllByRole('button', { name: '添加条件组' });
    const innermost = deeper.find((one) => !one.closest('.cond-group')?.querySelector('.cond-group'));
    if (!innermost) break;
    fireEvent.click(innermost);
  }
  for (const box of screen.getAllByRole('checkbox', { name: '条件取反（以下条件不成立时）' })) fireEvent.click(box);
  const plain = () => screen.queryAllByRole('button', { name: '条件取反', pressed: false });
  for (const row of plain()) fireEvent.click(row);
  expect(plain()).toEqual([]);
  expect(container.querySelectorAll('.cond-nested')).toHaveLength(3);
  expect(Condition.safeParse(latest).success).toBe(true);
});

test('a group of conditions may be nested in another and negated', () => {
  show(<Held first={{ op: 'gt', field: 'days', value: 3 }} />);
  fireEvent.click(screen.getByRole('button', { name: '添加条件组' }));
  const inner = screen.getByRole('group', { name: '以下条件满足一个' });
  expect(within(inner).getAllByLabelText('条件对象')).toHaveLength(2);
  fireEvent.click(screen.getByRole('checkbox', { name: '条件取反（以下条件不成立时）' }));
  expect(latest).toMatchObject({ op: 'and', of: [{ field: 'days' }, { op: 'not', of: { op: 'or' } }] });
});
