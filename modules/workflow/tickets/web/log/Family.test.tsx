import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { Detail } from '../../contract/shapes.ts';
import { Family } from './Family.tsx';
import { Waits } from './Waits.tsx';

const server = servedPage();

const row = (id: number, title: string, act_state_id: number) => ({
  id,
  title,
  sn: `GD${id}`,
  act_state_id,
  act_state_name: act_state_id === 4 ? '已通过' : '待审',
  state: { state_id: 2, state_name: '核实', state_label: {} },
  participant_info: { participant_alias: act_state_id === 4 ? '' : '李四' },
});
const ticket = (more: object) =>
  ({ id: 7, parent_ticket_id: null, start_below: [], waits: [], troubles: [], ...more }) as unknown as Detail;

test('a ticket shows its parents and children with their states, and where a child may be started', async () => {
  server.answers(({ query }) => {
    const value = query.get('parent_ticket_id') ? [row(8, '核实一', 4), row(9, '核实二', 1)] : [row(3, '总工单', 1)];
    return ok({ value, total: value.length, page: 1, per_page: 100 });
  });
  show(<Family ticket={ticket({ parent_ticket_id: 3, start_below: [{ state_id: 5, state_name: '协办' }] })} />);
  expect((await screen.findByRole('link', { name: '总工单' })).getAttribute('href')).toBe('/ticket/detail/3');
  expect(await screen.findByRole('heading', { name: '下级工单 2 张，1 张还在办' })).toBeDefined();
  expect(screen.getByRole('link', { name: '核实二' }).getAttribute('href')).toBe('/ticket/detail/9');
  expect(screen.getByRole('link', { name: '发起下级工单' }).getAttribute('href')).toBe('/ticket/new?above=7&at=5');
});

test('a ticket says what it waits for, until when, and which call was not delivered', () => {
  const wait = {
    state_id: 2,
    state_name: '登记资产',
    why: '等外部系统办完',
    until: '2020-01-02 03:04:05',
    next: '自动“未成功”',
  };
  show(<Waits ticket={{ waits: [wait], troubles: ['登记资产：试了 7 次都没有送达，不再重试'] }} />);
  expect(screen.getByText('“登记资产”等外部系统办完')).toBeDefined();
  expect(screen.getByText(/还没有动静，就自动“未成功”/)).toBeDefined();
  expect(screen.getByText('登记资产：试了 7 次都没有送达，不再重试')).toBeDefined();
});
