import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLive } from './connection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The other end of a socket: answers each heartbeat until it goes dark. */
class Line {
  dark = false;
  onmessage: (event: { data: string }) => void = () => undefined;
  say = () => this.onmessage({ data: JSON.stringify({ cursor: '1.0', changed: [] }) });
  send = () => void (this.dark || this.say());
  onclose: (event: { code: number }) => void = () => undefined;
  close = () => undefined;
}

test('once the session is over polling stops, however that was learnt', async () => {
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

test('a socket that went silent is replaced within seconds, and one that answers is kept', async () => {
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

test('a window sends its user name every five seconds once the socket has greeted it, and not before', async () => {
  const said: string[] = [];
  const line = new Line();
  const send = (word: string) => {
    said.push(word);
    line.say();
  };
  const live = openLive({
    url: '/socket',
    username: 'zhangmin',
    ticket: async () => 'ticket',
    hear: () => undefined,
    open: () => Object.assign(line, { send }) as never,
  });
  await vi.advanceTimersByTimeAsync(20_001);
  expect(said).toEqual([]);
  line.say();
  await vi.advanceTimersByTimeAsync(15_000);
  expect(said).toEqual(['zhangmin', 'zhangmin', 'zhangmin']);
  live.close();
});

test('windows sent away by a stopping node reconnect spread over a minute, and load nothing meanwhile', async () => {
  const windows = 120;
  const cameBack: number[] = [];
  const asked: (readonly string[])[] = [];
  const house = Array.from({ length: windows }, () => {
    const lines: Line[] = [];
    const live = openLive({
      url: '/socket',
      username: 'x',
      ticket: async () => 'ticket',
      hear: (topics) => void asked.push(topics),
      open() {
        const line = new Line();
        if (lines.push(line) > 1) cameBack.push(Date.now());
        queueMicrotask(line.say);
        return line as never;
      },
    });
    return { lines, live };
  });
  await vi.advanceTimersByTimeAsync(1);
  const stopped = Date.now();
  for (const { lines } of house) lines[0]!.onclose({ code: 1001 });
  await vi.advanceTimersByTimeAsync(60_000);
  const seconds = cameBack.map((at) => Math.floor((at - stopped) / 1000));
  const inTen = Array.from({ length: 6 }, (_, ten) => seconds.filter((at) => Math.floor(at / 10) === ten).length);
  expect(cameBack).toHaveLength(windows);
  expect(Math.min(...inTen)).toBeGreaterThan(windows / 30);
  expect(Math.max(...inTen)).toBeLessThan(windows / 3);
  expect(asked).toEqual([]);
  expect(house.every(({ live }) => live.connected())).toBe(true);
  for (const { live } of house) live.close();
});

test('a broken connection returns within the time its node named, and failed attempts are spaced further and further', async () => {
  const lines: Line[] = [];
  const tries: number[] = [];
  let works = true;
  const live = openLive({
    url: '/socket',
    username: 'x',
    ticket: async () => {
      tries.push(Date.now());
      if (!works) throw new Error('no node answers');
      return 'ticket';
    },
    hear: () => undefined,
    open() {
      const line = new Line();
      lines.push(line);
      queueMicrotask(line.say);
      return line as never;
    },
  });
  await vi.advanceTimersByTimeAsync(1);
  lines[0]!.onmessage({ data: JSON.stringify({ cursor: '1.0', changed: [], within: 1 }) });
  lines[0]!.onclose({ code: 1006 });
  await vi.advanceTimersByTimeAsync(1000);
  expect([lines.length, live.connected()]).toEqual([2, true]);
  works = false;
  lines[1]!.onclose({ code: 1006 });
  await vi.advanceTimersByTimeAsync(600_000);
  const since = tries.slice(3).map((at, index) => at - tries[2 + index]!);
  expect(since.length, 'far fewer than one a second').toBeLessThan(80);
  expect(Math.max(...since)).toBeGreaterThan(10_000);
  live.close();
});

test('without a socket the page polls, and a page that becomes visible reconnects at once', async () => {
  let heard = 0;
  let tries = 0;
  const live = openLive({
    url: '/socket',
    username: 'x',
    ticket: () => Promise.reject(new Error(`try ${(tries += 1)}`)),
    hear: () => (heard += 1),
  });
  await vi.advanceTimersByTimeAsync(240_000);
  expect(tries).toBeGreaterThan(2);
  expect(heard).toBeGreaterThanOrEqual(3);
  const before = tries;
  live.wake();
  await vi.advanceTimersByTimeAsync(1);
  expect(tries).toBe(before + 1);
  live.close();
});
