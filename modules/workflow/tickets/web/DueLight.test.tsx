import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { minuteOf } from '#kernel/web/kit/show/Moment.tsx';
import { emptyPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { isRunningState } from '#modules/workflow/workflows/engine/codes.ts';
import { lightOf, lights } from '#modules/platform/waits/contract/due.ts';
import { DueLight } from './DueLight.tsx';

emptyPage();

const [draft, ongoing, returned, finished, finishAsked] = [0, 1, 2, 4, 6];
const now = new Date('2026-11-20T10:00:00+08:00');
const light = (due_at: string | null, act_state = ongoing) => lights[lightOf(due_at, isRunningState(act_state), now)];

test('a ticket is red past its deadline, yellow within a day of it and green before, by the server’s clock and time zone', () => {
  expect(light('2026-11-20 09:59:59')).toBe('已逾期');
  expect(light('2026-11-20 10:00:00')).toBe('即将到期');
  expect(light('2026-11-21 09:59:59')).toBe('即将到期');
  expect(light('2026-11-21 10:00:00')).toBe('正常');
});

test('the deadline light is also on while the end is being confirmed, and off without a deadline or a running clock', () => {
  expect(light('2026-11-20 09:59:59', finishAsked)).toBe('已逾期');
  expect(light(null)).toBe('');
  for (const state of [draft, returned, finished]) expect(light('2026-11-20 09:59:59', state)).toBe('');
});

test('the deadline light states its meaning in words besides the colour', () => {
  const due_at = `${minuteOf(Date.now() - 86_400_000)}:00`;
  const { container } = show(<DueLight row={{ due_at, act_state_id: ongoing }} />);
  expect(container.textContent).toBe(`${due_at.slice(0, 16)} 已逾期`);
  expect(screen.getByTitle(due_at).closest('.due-red')).not.toBeNull();
  cleanup();
  const done = show(<DueLight row={{ due_at, act_state_id: finished }} />);
  expect(done.container.textContent).toBe(due_at.slice(0, 16));
});
