import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { Timeline } from './Timeline.tsx';

const server = servedPage();
const end = { state_id: 8, state_name: '办结', type_id: 2, is_current: true, is_passed: true, waiting_for: [] };
const ticketCalled = (state_name: string) => ({
  id: 3,
  field_list: [],
  state: { state_id: 8, state_name, state_label: {} },
});

test('a ticket that is over says so, and one whose record is not done with says what that waits for instead', async () => {
  server.answers(({ path }) => ok({ value: path.includes('flowsteps') ? [end] : [], total: 0, page: 1, per_page: 20 }));
  const { unmount } = show(<Timeline ticket={ticketCalled('办结')} until={null} />);
  expect((await screen.findByRole('region', { name: '流转记录' })).textContent).toContain('办结已办结');
  unmount();
  show(<Timeline ticket={ticketCalled('待答复')} until={null} />);
  const way = await screen.findByRole('region', { name: '流转记录' });
  expect([way.textContent?.includes('待答复'), way.textContent?.includes('办结')]).toEqual([true, false]);
});
