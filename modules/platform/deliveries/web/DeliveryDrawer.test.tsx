import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DeliveryRow } from '../contract.ts';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';
import DeliveryList from './DeliveryList.tsx';
import { ResendButton } from './ResendButton.tsx';

const row: DeliveryRow = {
  id: 1,
  channel: 'hook',
  target: 'https://oa.example/••••••',
  title: '待办：教学楼漏水',
  key: 'ticket:1:2:todo:3',
  module: 'tickets',
  object_id: 1,
  user_name: null,
  state: 'retrying',
  stuck: true,
  tries: 2,
  due_at: '2026-03-01 08:00:00',
  sent_at: null,
  provider_id: null,
  answer: '对方回答 503',
  log: [
    { number: 1, repeated: false, started_at: '2026-03-01 07:00:00', ended_at: null, done: null, answer: '' },
    {
      number: 2,
      repeated: true,
      started_at: '2026-03-01 07:01:00',
      ended_at: '2026-03-01 07:01:01',
      done: false,
      answer: '对方回答 503',
    },
  ],
  gmt_created: '2026-03-01 07:00:00',
  actions: [],
};

const server = servedPage();

test('every attempt of a delivery is shown, with repeats and unanswered ones marked', () => {
  show(<DeliveryDrawer row={row} onClose={() => undefined} />);
  expect(screen.getByText('未收到结果')).toBeTruthy();
  expect(screen.getAllByText('重复投递')).toHaveLength(1);
  expect(screen.getByText('对方回答 503')).toBeTruthy();
  expect(screen.getByText('滞留')).toBeTruthy();
});

test('a delivery that arrived or was called back is resent only after a confirmation', async () => {
  const asks = async (state: DeliveryRow['state']) => {
    show(<ResendButton row={{ ...row, actions: ['resend'], state, stuck: false }} />, { codes: ['chuli'] });
    fireEvent.click(screen.getByRole('button', { name: '重新投递' }));
    const said = (await screen.findByRole('dialog')).textContent;
    fireEvent.click(screen.getByRole('button', { name: '取消' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    cleanup();
    return said;
  };
  expect(await asks('cancelled')).toContain('这条投递已被撤回，再次投递仍会发给对方');
  expect(await asks('sent')).toContain('对方已经收到过，再次投递可能重复提醒');
  expect(server.asked).toEqual([]);
});

const page = (value: readonly unknown[]) => ({ value, total: value.length, page: 1, per_page: 10 });
const list = '/api/msg/delivery/';
const jobs = '/api/msg/delivery/job/';
const were = (path: string) => waitFor(() => expect(server.asked.some((one) => one.path === path)).toBe(true));

test('stuck deliveries are filtered, opened and resent', async () => {
  const stuck = { ...row, actions: ['resend'] };
  server.answers(({ method, path }) => ok(method === 'GET' ? page(path === jobs ? [] : [stuck]) : { id: 1 }));
  show(<DeliveryList />, { codes: ['Retrieve', 'chuli'], at: '/system/delivery?stuck=1' });
  fireEvent.click(await screen.findByText(row.title));
  expect(server.asked.find(({ path }) => path === list)?.query.get('stuck')).toBe('1');
  expect(screen.queryByText('未完成的后台任务')).toBeNull();
  const drawer = within(await screen.findByRole('dialog'));
  fireEvent.click(drawer.getByRole('button', { name: '重新投递' }));
  await were('/api/msg/delivery/1/resend/');
});

test('failed background jobs stand above the list with their error, and can be restarted', async () => {
  const failed = {
    id: 7,
    title: '到时发布通知',
    tries: 25,
    dead: true,
    due_at: row.due_at,
    answer: '对象存储无法写入',
  };
  const job = { ...failed, gmt_created: row.gmt_created, actions: ['run'] };
  server.answers(({ method, path }) => ok(method === 'GET' ? page(path === jobs ? [job] : []) : { id: 7 }));
  show(<DeliveryList />, { codes: ['Retrieve', 'chuli'], at: '/system/delivery' });
  const panel = within(await screen.findByRole('region', { name: '未完成的后台任务' }));
  expect(panel.getByText('对象存储无法写入')).toBeTruthy();
  expect(panel.getByText('已停止')).toBeTruthy();
  fireEvent.click(panel.getByRole('button', { name: '重新执行' }));
  await were('/api/msg/delivery/job/7/run/');
});
