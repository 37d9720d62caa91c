import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MatterButtons } from '#kernel/web/kit/press/MatterButtons.tsx';
import { MatterButtonsContext } from '#kernel/web/registry.ts';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { registry } from '../pages.ts';
import { matterButtons } from './matter-buttons.ts';

const server = servedPage();
const matter = (
  <MatterButtonsContext value={matterButtons}>
    <MatterButtons source={{ module: 'orders', id: 7 }} title="三号楼漏水" content="三层走廊漏水" />
  </MatterButtonsContext>
);
const asked = () => server.asked.find(({ path }) => path === '/api/supervise/');

test('an order’s page offers 转督办 to people who may create items, and links to an existing item', async () => {
  server.answers(() => ok({ value: [], total: 0, page: 1, per_page: 100 }));
  const { unmount } = show(matter, { codes: ['Create'], at: '/supervise/list' });
  expect(await screen.findByRole('button', { name: '转督办' })).toBeTruthy();
  expect([asked()!.query.get('source_module'), asked()!.query.get('source_id')]).toEqual(['orders', '7']);
  unmount();

  server.answers(() => ok({ value: [{ id: 3, sn: 'DB20260001', source_key: '' }], total: 1, page: 1, per_page: 100 }));
  show(matter, { codes: ['Create'], at: '/supervise/list' });
  expect((await screen.findByRole('link', { name: '已转督办 DB20260001' })).getAttribute('href')).toBe(
    '/supervise/detail/3',
  );
});

test('a person who may not create items gets no such button, and nothing is loaded for them', async () => {
  server.answers(() => ok({ value: [], total: 0, page: 1, per_page: 100 }));
  await Promise.all(registry.matterButtons.map((load) => load()));
  show(matter, { codes: ['Retrieve'], at: '/supervise/list' });
  await act(async () => {});
  expect(screen.queryByRole('button', { name: '转督办' })).toBeNull();
  expect(asked()).toBeUndefined();
});
