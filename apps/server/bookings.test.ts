import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { calls, openMeetings, period } from '#modules/office/meetings/testing/house.ts';
import { testSecret, type Client } from './testing.ts';
import { startNode, type Node } from './testing/node.ts';
import { quietPort } from './testing/port.ts';

// Two nodes in separate processes; the first one's connection to the database can be cut, and the second one is killed.
const rounds = process.env['NIGHTLY'] ? 200 : 20;
/** A killed node takes seconds to come back. */
const killedEach = 10;
const atOnce = 8;
const seed = 2026;
const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-bookings-'));
const ports: number[] = [];
const nodes: Node[] = [];
let house: Awaited<ReturnType<typeof openMeetings>>;
let way: Line;

const addressOf = (index: number) => (index === 0 ? way.url : house.office.databaseUrl);
const start = (index: number) =>
  startNode(ports[index]!, {
    DATABASE_URL: addressOf(index),
    DATA_DIR: dataDir,
    SESSION_SECRET: testSecret,
    LOG_LEVEL: 'silent',
  });

beforeAll(async () => {
  house = await openMeetings();
  way = await openLine(house.office.databaseUrl);
  ports.push(await quietPort(), await quietPort());
  nodes.push(...(await Promise.all([start(0), start(1)])));
}, 300_000);
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
  way?.close();
  await house?.office.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 180_000);

interface Booking {
  room_id: number;
  start_time: string;
  end_time: string;
}
const strange: string[] = [];
/** Books like a browser behind a proxy: under one key, at the other node whenever one does not answer. Null if the time is taken. */
async function book(who: Client, first: number, booking: Booking): Promise<number | null> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  let at = first;
  return eventually(async () => {
    const node = nodes[at]!;
    at = 1 - at;
    const body = JSON.stringify(house.body(booking));
    const { status, bytes } = await who.at(node.url).send(calls.create.path, { method: 'POST', headers, body });
    if (status !== 200 && status !== 503) strange.push(`${status} ${bytes.toString()}`);
    expect(status).toBe(200);
    const { code, msg, data } = JSON.parse(bytes.toString()) as { code: number; msg: string; data: { id: number } };
    if (code !== 0 && code !== codes.conflict) strange.push(`${code} ${msg}`);
    return code === 0 ? data.id : null;
  }, 120_000);
}

test(
  'of rooms booked at two nodes, one of which is killed or loses the database, nothing overlaps and no acknowledged booking is lost',
  { timeout: rounds * 60_000 },
  async () => {
    const chance = chanceOf(seed);
    const clock = (quarter: number) =>
      `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;
    for (let round = 1; round <= rounds; round++) {
      const room_id = await house.room();
      const asked = Array.from({ length: atOnce }, (_, at) => {
        const from = chance.between(32, 40);
        const booking = { room_id, ...period(clock(from), clock(from + chance.between(1, 4))) };
        return book(at % 2 ? house.staff : house.colleague, chance.between(0, 1), booking);
      });
      // The other requests are under way when the first is answered.
      await Promise.race(asked);
      const kills = round % killedEach === 0;
      if (kills) await nodes[1]!.stop('SIGKILL');
      else way.cut();
      const ids = await Promise.all(asked);
      if (kills) nodes[1] = await start(1);
      else way.mend();
      const booked = ids.filter((id) => id !== null);
      const taken = await house.blocks(room_id);
      expect(new Set(taken.map((one) => one.record_id))).toEqual(new Set(booked));
      expect(taken).toHaveLength(booked.length);
      expect(taken.filter((one, at) => at > 0 && one.start_time < taken[at - 1]!.free_at)).toEqual([]);
      expect(booked.length).toBeGreaterThan(0);
    }
    expect(strange).toEqual([]);
    await house.consistent();
  },
);
