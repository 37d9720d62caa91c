import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLive } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The other end of a socket: answers each beat, until it has gone dark. */
class Line {
  dark = false;
  onmessage: (event: { data: string }) => void = () => undefined;
  say = () => this.onmessage({ data: JSON.stringify({ cursor: '1.0', changed: [] }) });
  send = () => void (this.dark || this.say());
  onclose: (event: { code: number }) => void = () => undefined;
  close = () => undefined;
}

test('once the session is over nothing is asked by the clock any more, whichever way that was learnt', async () => {
  let heard = 0;
  const opened = (ticket: string | null) => {
    const line = new Line();
    const live = openLive({
      url: '/socket',
      username: 'x',
      ticket: async () => ticket,
      hear: () => (heard += 1),
      open: () => line as never,
    });
    return { live, line };
  };
  const [without, told] = [opened(null), opened('ticket')];
  await vi.advanceTimersByTimeAsync(1);
  told.line.onclose({ code: 4001 });
  await vi.advanceTimersByTimeAsync(600_000);
  expect(heard).toBe(0);
  for (const { live } of [without, told]) live.close();
});

test('a socket that has gone dark is left within seconds for a new one, and one that answers is kept', async () => {
  const lines: Line[] = [];
  const live = openLive({
    url: '/socket',
    username: 'x',
    ticket: async () => 'ticket',
    hear: () => undefined,
    open() {
      lines.push(new Line());
      return lines.at(-1) as never;
    },
  });
  await vi.advanceTimersByTimeAsync(1);
  lines[0]!.say();
  await vi.advanceTimersByTimeAsync(120_000);
  expect([lines.length, live.connected()]).toEqual([1, true]);
  lines[0]!.dark = true;
  await vi.advanceTimersByTimeAsync(15_001);
  expect(live.connected()).toBe(false);
  await vi.advanceTimersByTimeAsync(4001);
  expect(lines).toHaveLength(2);
  lines[1]!.say();
  expect(live.connected()).toBe(true);
  live.close();
});
