import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { codes, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Alternative, Clash } from '../contract.ts';
import { book, occupationsOf, type Source, type Wanted } from '../service.ts';

export const day = '2026-12-01';
export const at = (time: string) => `${day} ${time}:00`;
export const room = (start: string, end: string, more: Partial<Wanted> = {}): Wanted => ({
  resource: 'desk',
  resource_id: 1,
  start_time: at(start),
  end_time: at(end),
  ...more,
});
export const meeting = (record_id: number, slot?: string): Source => ({
  module: 'meetings',
  record_id,
  ...(slot !== undefined && { slot }),
});
export const asking = { name: '第一会议室', within: { from: at('08:00'), to: at('18:00') } };
export const times = (rows: readonly { start_time: string; end_time: string }[]) =>
  rows.map(({ start_time, end_time }) => `${start_time.slice(11, 16)}–${end_time.slice(11, 16)}`);

export async function refusedBy(
  work: Promise<unknown>,
): Promise<{ msg: string; clashes: Clash[]; alternatives: Alternative[] }> {
  const refusal = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  const { code, message, data } = refusal as Refusal;
  expect(code).toBe(codes.conflict);
  return { msg: message, ...(data as { clashes: Clash[]; alternatives: Alternative[] }) };
}

/** An organisation with rooms to be booked. */
export async function openRooms() {
  const app = await openTestApp();
  const write = <T>(work: (tx: Db) => Promise<T>) => app.services.databases.write(work);
  return {
    app,
    write,
    take: (record: number, wanted: Wanted, more = {}) =>
      write((tx) => book(tx, meeting(record), wanted, { ...asking, ...more })),
    standing: () => occupationsOf(app.db, 'desk', [1, 2, 3], { from: at('00:00'), to: at('24:00') }),
    empty: () => write((tx) => tx.execute(sql`delete from booking`)),
    close: () => app.close(),
  };
}
