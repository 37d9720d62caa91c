import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import type { DeliveryRow } from '../contract.ts';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';

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

emptyPage();

test('every try of a delivery is told: which was a repeat, and which was never answered', () => {
  show(<DeliveryDrawer row={row} onClose={() => undefined} />);
  expect(screen.getByText('没有等到结果')).toBeTruthy();
  expect(screen.getAllByText('重复投递')).toHaveLength(1);
  expect(screen.getByText('对方回答 503')).toBeTruthy();
  expect(screen.getByText('滞留')).toBeTruthy();
});
