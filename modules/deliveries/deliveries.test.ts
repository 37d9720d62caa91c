import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openTestOffice, type TestOffice } from '#apps/server/testing.ts';
import { deliveries } from './contract.ts';
import { cancel, post, type Parcel } from './service.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice({ outgoingAllow: ['127.0.0.1'] });
});
afterAll(() => office.close());

const send = (...parcels: Parcel[]) => office.services.databases.write((tx) => post(tx, parcels));
const rowOf = async (key: string) => {
  const { value } = await office.admin.get(deliveries.list, { query: { per_page: 100 } });
  return value.find((row) => row.key === key)!;
};
const parcel = (key: string, more: Partial<Parcel> = {}): Parcel => ({
  channel: 'push',
  target: '13800001234',
  title: '通知',
  body: {},
  key,
  ...more,
});

test('a parcel posted twice is one, and both are told its id', async () => {
  const at = new Date(Date.now() + 3_600_000);
  const [first] = await send(parcel('twice', { at }));
  expect(await send(parcel('twice', { at }), parcel('once', { at }))).toEqual([first, expect.any(Number)]);
  expect(await rowOf('twice')).toMatchObject({ state: 'waiting', tries: 0, target: '138****1234', stuck: false });
});

test('what is called back in time does not leave', async () => {
  await send(parcel('called back', { at: new Date(Date.now() + 3_600_000) }));
  expect(await office.services.databases.write((tx) => cancel(tx, ['called back']))).toBe(1);
  expect(await rowOf('called back')).toMatchObject({ state: 'cancelled' });
});

test('a channel that nobody carries is given up with a reason', async () => {
  await send(parcel('no carrier'));
  await vi.waitFor(async () => expect(await rowOf('no carrier')).toMatchObject({ state: 'given_up', tries: 1 }), 8000);
  expect((await rowOf('no carrier')).answer).toMatch(/渠道/);
});
