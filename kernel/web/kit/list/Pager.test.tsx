import { within } from '@testing-library/react';
import { Table } from 'antd';
import { expect, test } from 'vitest';
import { emptyPage } from '../../testing/page.ts';
import { show } from '../../testing/show.tsx';
import { paged, Pager } from './Pager.tsx';

emptyPage();
const namesIn = (container: HTMLElement) =>
  within(container)
    .queryAllByRole('button')
    .map((one) => one.getAttribute('aria-label'));

test('the arrows of a panel’s pages and of a table’s have names for screen readers', () => {
  const pager = show(<Pager current={2} pageSize={10} total={30} onChange={() => undefined} />);
  expect(namesIn(pager.container)).toEqual(['上一页', '下一页']);
  const rows = Array.from({ length: 30 }, (_none, id) => ({ id }));
  const table = show(
    <Table rowKey="id" dataSource={rows} columns={[{ dataIndex: 'id', title: '编号' }]} pagination={paged(10)} />,
  );
  expect(namesIn(table.container)).toEqual(['上一页', '下一页']);
});

test('there are no arrows if everything is on one page', () => {
  const { container } = show(<Pager current={1} pageSize={10} total={10} onChange={() => undefined} />);
  expect(namesIn(container)).toEqual([]);
});
