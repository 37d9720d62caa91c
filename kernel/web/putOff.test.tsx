import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { servedPage } from './testing/page.ts';
import { ok } from './testing/server.ts';
import { stamps } from './testing/stamps.ts';
import { putOff, sendLeftBehind, undoSeconds } from './putOff.ts';

const server = servedPage();
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('draft:later:'));
const sent = () => server.asked.filter((one) => one.method !== 'GET');

beforeEach(() => {
  server.answers(() => ok({}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});
const decide = () => putOff(stamps.create, { body: { name: '公章' } } as never);

test('a deferred decision is kept until it is answered, and sent when its time is over', async () => {
  const { done } = decide();
  await vi.advanceTimersByTimeAsync(undoSeconds * 1000 - 1);
  expect([sent().length, kept().length]).toEqual([0, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect([sent().length, kept().length]).toEqual([1, 0]);
});

test('a closing window sends its deferred decisions, and unanswered ones are sent again under the same key', async () => {
  const { done } = decide();
  window.dispatchEvent(new Event('pagehide'));
  await done;
  expect(sent().map((one) => one.body)).toEqual([{ name: '公章' }]);
  const [left] = [{ call: stamps.create, asked: { body: { name: '私章' } }, at: 0 }];
  localStorage.setItem('draft:later:unanswered', JSON.stringify(left));
  sendLeftBehind();
  await vi.advanceTimersByTimeAsync(1);
  await vi.waitFor(() => expect(kept()).toEqual([]), 60_000);
  const last = sent().at(-1);
  expect([last?.body, last?.headers['idempotency-key']]).toEqual([{ name: '私章' }, 'unanswered']);
});
