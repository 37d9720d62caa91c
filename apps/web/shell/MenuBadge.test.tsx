import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { MenuBadge } from './MenuBadge.tsx';

const server = servedPage();

test('the number beside the menu of schedules is the total of its list, and beside others the waiting items of the page', async () => {
  const kind = (page: string, count: number) => ({
    page,
    path: '',
    title: '',
    key: page,
    count: count - 1,
    overdue: 0,
    aside: 1,
  });
  server.answers(({ path }) =>
    path.startsWith('/api/leader/')
      ? ok({ value: [], total: 3, page: 1, per_page: 1 })
      : ok({
          total: 33,
          overdue: 0,
          aside: 3,
          value: [kind('leader/list', 29), kind('order/task', 5), kind('order/task', 2)],
        }),
  );
  show(
    <>
      <MenuBadge component="leader" />
      <MenuBadge component="leader/list" />
      <MenuBadge component="order/task" />
    </>,
  );
  expect(await screen.findAllByLabelText('3 项')).toHaveLength(2);
  expect(await screen.findAllByLabelText('7 项')).toHaveLength(1);
  const asked = server.asked.find(({ path }) => path.startsWith('/api/leader/'))!;
  expect([asked.query.get('type_id'), asked.query.get('category')]).toEqual(['1', 'duty']);
});
