import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { categories } from '../../contract.ts';
import type { Row } from '../../contract/shapes.ts';
import Started from '../home/Started.tsx';
import { columnsOf } from './columns.tsx';

const server = servedPage();

const closed = {
  id: 7,
  title: '关于购置设备的请示',
  act_state_id: 5,
  act_state_name: '已关闭（未答复）',
  unsettled: true,
  state: { state_id: 9, state_name: '已关闭（未答复）', state_label: {} },
  due_at: null,
  record_path: '/document/detail/7',
} as unknown as Row;
const red = (page: HTMLElement) => page.querySelector('.ant-tag-error, .ant-tag-red:not(.kit-struck)')?.textContent;

test('an overdue unfinished item is red in every list of tickets and on the home page, a finished one is not', async () => {
  for (const category of categories) {
    const column = columnsOf(category).find((one) => one.key === 'act_state_id')!;
    expect(red(show(<>{column.render!(closed)}</>).container)).toBe('已关闭（未答复）');
    expect(red(show(<>{column.render!({ ...closed, unsettled: false })}</>).container)).toBeUndefined();
  }
  const row = { id: 'documents.7', title: closed.title, web_path: '/document/detail/7', step: '', light: null };
  const state = { word: '已关闭（未答复）', tone: 'error' };
  server.answers(() => ok({ value: [{ ...row, state }], total: 1, page: 1, per_page: 5 }));
  const { container } = show(<Started />);
  await waitFor(() => expect(red(container)).toBe('已关闭（未答复）'));
});
