import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useState } from 'react';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { fieldItem } from '#modules/workflow/workflows/engine/field-item.ts';
import { openColumns } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { Field } from '#modules/workflow/workflows/engine/form.ts';
import type { Detail } from '../contract/shapes.ts';
import { Handling } from './record/Handling.tsx';

const server = servedPage();

const approve = { code: 'approve', transition_id: 2, transition_name: '同意', task_no: 4, state_id: 2 };
const mine = {
  id: 7,
  title: '',
  version: 3,
  field_list: [],
  choose: [],
  waits: [],
  troubles: [],
  transitions: [approve],
} as unknown as Detail;

function Page() {
  const [taken, setTaken] = useState(false);
  return (
    <Handling ticket={taken ? { ...mine, transitions: [] } : mine} changed={new Set()} onMoved={vi.fn()}>
      {({ notice, actions }) => (
        <>
          {notice}
          {actions}
          <button onClick={() => setTaken(true)}>别人已办理</button>
        </>
      )}
    </Handling>
  );
}

test('an opinion that can no longer be sent stays visible until it is dismissed', async () => {
  show(<Page />);
  fireEvent.change(screen.getByLabelText('意见'), { target: { value: '请尽快处理' } });
  expect(screen.queryByText(/没有提交/)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: '别人已办理' }));
  expect(await screen.findByRole('button', { name: '复制 请尽快处理' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '丢弃' }));
  await waitFor(() => expect(screen.queryByText(/没有提交/)).toBeNull());
});

test('people and files of input that can no longer be sent are named and may be kept elsewhere', async () => {
  server.answers(({ query }) =>
    ok(
      query.get('usernames') === 'qian,song'
        ? [
            { id: 5, username: 'song', alias: '宋明杰', dept_id: null, dept_name: '' },
            { id: 6, username: 'qian', alias: '钱多', dept_id: null, dept_name: '' },
          ]
        : [],
    ),
  );
  localStorage.setItem(
    'draft:files',
    JSON.stringify([
      { id: 9, name: '测算.pdf', mime: 'application/pdf' },
      { id: 10, name: '发票.pdf', mime: 'application/pdf' },
    ]),
  );
  const field_list = [
    Field.parse({ id: 1, key: 'who', name: '经办人', type: fieldType.user }),
    Field.parse({ id: 2, key: 'paper', name: '票据', type: fieldType.file }),
  ].map((field, at) => fieldItem(field, at, { access: fieldAccess.read, columns: openColumns(field) }, null, ''));
  const values = {
    edited: { who: 'qian', paper: [10] },
    words: '请看 @宋明杰',
    beside: { files: [9], mentions: ['song'] },
  };
  localStorage.setItem('draft:ticket-7', JSON.stringify({ values, attempt: 'a', at: 1 }));
  const taken = { ...mine, field_list, transitions: [] } as unknown as Detail;
  show(
    <Handling ticket={taken} changed={new Set()} onMoved={vi.fn()}>
      {({ notice }) => notice}
    </Handling>,
  );
  expect(await screen.findByRole('button', { name: '复制 宋明杰' })).toBeDefined();
  expect(screen.getByRole('button', { name: '复制 钱多' })).toBeDefined();
  expect(screen.getAllByRole('link').map((one) => one.textContent)).toEqual(['测算.pdf', '发票.pdf']);
});
