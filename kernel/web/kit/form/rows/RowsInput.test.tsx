import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { money } from '#kernel/contract/money/money.ts';
import { day } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { servedPage } from '../../../testing/page.ts';
import { show } from '../../../testing/show.tsx';
import { RowsInput } from './RowsInput.tsx';

servedPage();

const lines = z
  .array(
    z.object({
      kind: choice('类型', { 1: '付款', 2: '保证金' }),
      name: z.string().max(60).meta({ title: '名称' }),
      due: day.optional().meta({ title: '日期' }),
      amount: money.nullable().optional().meta({ title: '金额' }),
      returned: z.boolean().optional().meta({ title: '退还' }),
      note: z
        .string()
        .optional()
        .meta(field('备注', { hidden: true })),
    }),
  )
  .max(4);
const fresh = () => ({ kind: 1, name: '' });

function Form({ told, begins = [] }: { told: (rows: unknown) => void; begins?: readonly object[] }) {
  const [value, setValue] = useState<unknown>(begins);
  return (
    <RowsInput
      control={{
        id: 'lines',
        value,
        onChange: (next) => {
          told(next);
          setValue(next);
        },
      }}
      of={lines}
      instead={{ returned: { when: ({ kind }) => kind === 2 } }}
      fresh={fresh}
      settled={(row, key) => (key === 'kind' ? { ...row, returned: undefined } : row)}
      add="添加节点"
    />
  );
}
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
const pasteInto = (label: string, text: string) =>
  fireEvent.paste(screen.getByLabelText(label), { clipboardData: { getData: () => text } });

test('row columns have the schema’s titles, marks and controls, and a column without values is left out', () => {
  show(<Form told={vi.fn()} begins={[fresh()]} />);
  expect(heads()).toEqual(['类型 *', '名称 *', '日期', '金额', '操作']);
  expect(screen.getByLabelText('第 1 行 金额').getAttribute('inputmode')).toBe('decimal');
  fireEvent.change(screen.getByLabelText('第 1 行 名称'), { target: { value: '长'.repeat(61) } });
  expect((screen.getByLabelText('第 1 行 名称') as HTMLInputElement).value).toBe('长'.repeat(60));
});

test('a column that only some rows have is empty and unlabelled in the others', () => {
  show(<Form told={vi.fn()} begins={[fresh(), { kind: 2, name: '履约' }]} />);
  expect(heads()).toContain('退还');
  expect(screen.queryByLabelText('第 1 行 退还')).toBeNull();
  expect(screen.getByLabelText('第 2 行 退还')).toBeTruthy();
});

test('two cells that change before the rows are drawn again both keep their value', () => {
  const told = vi.fn();
  show(<Form told={told} begins={[fresh(), fresh()]} />);
  const [first, second] = [screen.getByLabelText('第 1 行 名称'), screen.getByLabelText('第 2 行 名称')];
  act(() => {
    fireEvent.change(first, { target: { value: '首付' } });
    fireEvent.change(second, { target: { value: '尾款' } });
  });
  expect(told.mock.lastCall![0]).toMatchObject([{ name: '首付' }, { name: '尾款' }]);
});

test('Enter in the last row adds one and moves there, up to the maximum', async () => {
  const told = vi.fn();
  show(<Form told={told} begins={[fresh(), fresh(), fresh()]} />);
  fireEvent.keyDown(screen.getByLabelText('第 3 行 名称'), { key: 'Enter' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('第 4 行 名称')));
  expect(told).toHaveBeenCalledOnce();
  fireEvent.keyDown(screen.getByLabelText('第 4 行 名称'), { key: 'Enter' });
  expect(told).toHaveBeenCalledOnce();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '最多 4 行' }).disabled).toBe(true);
});

test('a pasted spreadsheet block fills cells by column type, and skips values that a column cannot take', () => {
  const told = vi.fn();
  show(<Form told={told} begins={[fresh(), { kind: 2, name: '' }]} />);
  pasteInto('第 1 行 类型', '付款\t首付\t2026年3月1日\t￥1，200.5\n保证金\t履约\t3月1日\t一千\t是\n');
  expect(told.mock.lastCall).toEqual([
    [
      { kind: 1, name: '首付', due: '2026-03-01', amount: 1200.5, returned: undefined },
      { kind: 2, name: '履约', returned: true },
    ],
  ]);
});

test('a pasted value that a column cannot parse leaves the cell empty', () => {
  const told = vi.fn();
  show(<Form told={told} begins={[]} />);
  fireEvent.click(screen.getByRole('button', { name: '添加节点' }));
  pasteInto('第 1 行 类型', '预付款\t首付\t26.3.5\t约一千\n付款\t尾款\t\t\n');
  expect(told.mock.lastCall).toEqual([
    [
      { kind: undefined, name: '首付', due: undefined, amount: undefined },
      { kind: 1, name: '尾款', due: undefined, amount: undefined },
    ],
  ]);
});

test('pasted rows beyond the maximum are counted, and each row from elsewhere appears once after a removal', async () => {
  const told = vi.fn();
  show(<Form told={told} begins={[fresh(), fresh()]} />);
  fireEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  pasteInto('第 1 行 名称', '一\n二\n三\n四\n五\n六');
  await screen.findByText('最多 4 行，多出的 2 行没有粘贴');
  const names = () => screen.getAllByLabelText(/名称$/).map((field) => (field as HTMLInputElement).value);
  expect(names()).toEqual(['一', '二', '三', '四']);
  fireEvent.click(screen.getByRole('button', { name: '删除第 2 行' }));
  expect(names()).toEqual(['一', '三', '四']);
});

test('a single pasted text is not treated as a block', () => {
  const told = vi.fn();
  show(<Form told={told} begins={[fresh()]} />);
  pasteInto('第 1 行 名称', '首付');
  expect(told).not.toHaveBeenCalled();
});

test('changing a row’s kind removes values that the new kind does not have, and a removed row is gone', async () => {
  const told = vi.fn();
  show(<Form told={told} begins={[{ kind: 2, name: '履约', returned: true }]} />);
  fireEvent.mouseDown(screen.getByLabelText('第 1 行 类型'));
  fireEvent.click(await screen.findByTitle('付款'));
  expect(told.mock.lastCall).toEqual([[{ kind: 1, name: '履约', returned: undefined }]]);
  fireEvent.click(screen.getByRole('button', { name: '删除第 1 行' }));
  expect(told.mock.lastCall).toEqual([[]]);
});
