import { screen } from '@testing-library/react';
import { Table } from 'antd';
import { expect, test } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { paged, Pager } from './Pager.tsx';

emptyPage();
const names = () => screen.getAllByRole('button').map((one) => one.getAttribute('aria-label'));

test('the arrows of a panel’s pages and of a table’s have names for screen readers', () => {
  const { unmount } = show(<Pager current={2} pageSize={10} total={30} onChange={() => undefined} />);
  expect(names()).toEqual(['上一页', '下一页']);
  unmount();
  const rows = Array.from({ length: 30 }, (_none, id) => ({ id }));
  show(<Table rowKey="id" dataSource={rows} columns={[{ dataIndex: 'id', title: '编号' }]} pagination={paged(10)} />);
  expect(names()).toEqual(['上一页', '下一页']);
});

test('there are no arrows if everything is on one page', () => {
  show(<Pager current={1} pageSize={10} total={10} onChange={() => undefined} />);
  expect(screen.queryByRole('button')).toBeNull();
});
