import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { RecordList } from './RecordList.tsx';

const server = servedPage();

test('the form of a new record opens by the address of its list, and closing it leads back to the list', async () => {
  server.answers(() => ok({ value: [], total: 0, page: 1, per_page: 20 }));
  const { address } = show(
    <RecordList
      card={['title']}
      name="stamp/list"
      title="申请"
      call={tickets.list}
      page="/stamp/detail"
      columns={[{ key: 'title', title: '标题', main: true }]}
      write="写申请"
      form={({ kind, id }, close) => (
        <button onClick={close}>
          {kind} {id}
        </button>
      )}
      empty={{ why: '还没有申请' }}
    />,
    { at: '/stamp/list?new=1&category=owner', codes: ['Create'] },
  );
  fireEvent.click(screen.getByRole('button', { name: 'new 0' }));
  expect(await screen.findByText('还没有申请')).toBeDefined();
  expect(address()).toBe('/stamp/list?category=owner');
  fireEvent.click(screen.getByRole('button', { name: '写申请' }));
  fireEvent.click(screen.getByRole('button', { name: 'new 0' }));
  expect(screen.getByRole('button', { name: '写申请' })).toBeDefined();
}, 60_000);
