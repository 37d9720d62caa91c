import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { emptyPage } from '../../../testing/page.ts';
import { show } from '../../../testing/show.tsx';
import { DateInput } from './DateInput.tsx';
import type { DateKind } from './dates.ts';

emptyPage();

/** A field, with its last value beside it. */
function Held({ kind, first, only = false }: { kind: DateKind; first: string; only?: boolean }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <DateInput kind={kind} only={only} aria-label="时间" value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  );
}
const field = () => screen.getByLabelText<HTMLInputElement>('时间');
const given = () => screen.getByRole('status').textContent;
const type = (value: string) => fireEvent.change(field(), { target: { value } });

test('an unfinished date is not passed on while it is typed, and is formatted when the field is left', () => {
  show(<Held kind="date" first="2026-11-20" />);
  type('2026-1-1');
  expect(given()).toBe('2026-11-20');
  type('2026-1-12');
  fireEvent.blur(field());
  expect(given()).toBe('2026-01-12');
  expect(field().value).toBe('2026-01-12');
  type('2026/03/01');
  expect(given()).toBe('2026-03-01');
  type('');
  expect(given()).toBe('');
});

test('text that is no date is passed on for the form to refuse, or replaced by the earlier date', () => {
  const { unmount } = show(<Held kind="date" first="2026-11-20" />);
  type('2026-02-30');
  fireEvent.blur(field());
  expect([given(), field().value]).toEqual(['2026-02-30', '2026-02-30']);
  unmount();
  show(<Held kind="date" first="2026-11-20" only />);
  type('明天');
  fireEvent.blur(field());
  expect([given(), field().value]).toEqual(['2026-11-20', '2026-11-20']);
});

test('a day is chosen from a Chinese calendar opened by keyboard, and keeps the time', async () => {
  show(<Held kind="datetime-local" first="2026-11-20T14:30" />);
  expect(field().value).toBe('2026-11-20 14:30');
  fireEvent.keyDown(field(), { key: 'ArrowDown', altKey: true });
  expect(await screen.findByText('2026 年 11 月')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: '下一月' }));
  fireEvent.click(document.querySelector('td[title="2026-12-03"]')!);
  await waitFor(() => expect(given()).toBe('2026-12-03T14:30'));
  expect(field().value).toBe('2026-12-03 14:30');
});

test.each([
  ['date', ['上一年', '上一月', '2026 年 11 月', '下一月', '下一年']],
  ['month', ['上一年', '2026 年', '下一年']],
] as const)(
  'the head of a calendar for a %s is reached by keyboard in the order in which it is seen',
  async (kind, order) => {
    show(<Held kind={kind} first={kind === 'month' ? '2026-11' : '2026-11-20'} />);
    fireEvent.keyDown(field(), { key: 'ArrowDown', altKey: true });
    const head = (await screen.findByText(order.find((one) => one.startsWith('2026'))!)).parentElement!;
    const names = [...head.children].map((one) => one.getAttribute('aria-label') ?? one.textContent);
    expect(names).toEqual(order);
  },
);
