import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { leave } from '../../engine/gallery/leave.ts';
import { RunsDrawer } from './RunsDrawer.tsx';
import { StartValues } from './StartValues.tsx';

const server = servedPage();

test('a schedule fills in the fields of the starting form, except those hidden there', () => {
  const filled: Record<string, unknown>[] = [];
  const draft = {
    ...leave.definition,
    states: leave.definition.states.map((state) =>
      state.kind === 'start' ? { ...state, access: { ...state.access, proof: 4 as const } } : state,
    ),
  };
  show(<StartValues workflow={1} draft={draft} value={{ days: 2 }} onChange={(next) => filled.push(next)} />);
  expect(screen.queryByText('证明材料')).toBeNull();
  fireEvent.change(screen.getByLabelText('事由'), { target: { value: '每月例假' } });
  expect(filled).toEqual([{ days: 2, reason: '每月例假' }]);
});

test('a scheduled start that failed says why, and is retried or waived', async () => {
  const run = { id: 3, due_at: '2026-11-01 09:00:00', missed: 2, outcome: 'failed', message: '发起人已停用' };
  server.answers(({ method }) =>
    method === 'GET'
      ? ok({
          value: [{ ...run, ticket_id: null, handled_at: null, handled_by: '', actions: ['again', 'dismiss'] }],
          total: 1,
          page: 1,
          per_page: 10,
        })
      : ok({ id: 3, ticket_id: 9, sn: 'A9' }),
  );
  show(<RunsDrawer schedule={{ id: 5, name: '每月巡检' }} onClose={() => undefined} />, { codes: ['Update'] });
  expect(await screen.findByText(/发起人已停用/)).toBeDefined();
  expect(screen.getByText(/之前还有 2 次没有发起/)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: '补发' }));
  fireEvent.click(await screen.findByRole('button', { name: '不再补发' }));
  const sent = () => server.asked.filter(({ method }) => method === 'POST').map(({ path }) => path);
  await waitFor(() =>
    expect(sent()).toEqual(['/api/workflows/schedule_runs/3/again/', '/api/workflows/schedule_runs/3/dismiss/']),
  );
});
