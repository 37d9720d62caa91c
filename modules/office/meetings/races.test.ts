import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { calls, expectOk, on, openMeetings, period } from './testing/house.ts';

// Concurrent calls over HTTP; after each round, bookings must equal what the meetings hold. NIGHTLY=1 runs far more.
let house: Awaited<ReturnType<typeof openMeetings>>;
beforeAll(async () => void (house = await openMeetings()));
afterAll(() => house.office.close());
const nightly = Boolean(process.env['NIGHTLY']);
const of = (id: number) => ({ params: { id } });
type Answer = { code: number; msg: string; status: number };
const together = (work: readonly (() => Promise<unknown>)[]) =>
  Promise.all(work.map((one) => one())) as Promise<Answer[]>;
/** Gives the same numbers for the same seed. */
const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
const clock = (quarter: number) =>
  `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`;

for (const seed of nightly ? [1, 2, 3] : [1])
  test(
    `of many people who book overlapping times at once each time is given once, and the others get alternatives (seed ${seed})`,
    { timeout: 900_000 },
    async () => {
      const next = random(seed);
      for (let n = 0; n < 3; n += 1) await house.room();
      for (let round = 0; round < (nightly ? 100 : 3); round += 1) {
        const room_id = await house.room();
        const answers = await together(
          Array.from({ length: 100 }, () => async () => {
            const from = 32 + Math.floor(next() * 12);
            const wanted = { room_id, ...period(clock(from), clock(from + 1 + Math.floor(next() * 4))) };
            const who = next() < 0.5 ? house.staff : house.colleague;
            return house.ask(wanted, who);
          }),
        );
        expect(answers.filter(({ code }) => code !== 0 && code !== 4009)).toEqual([]);
        const refused = answers.filter(({ code }) => code === 4009) as (Answer & {
          data: { alternatives: unknown[] };
        })[];
        for (const one of refused) expect(one.data.alternatives.length, one.msg).toBeGreaterThanOrEqual(3);
        const taken = await house.blocks(room_id);
        expect(taken).toHaveLength(answers.length - refused.length);
        expect(taken.some((one, at) => at > 0 && one.start_time < taken[at - 1]!.free_at)).toBe(false);
      }
      await house.consistent();
    },
  );

const rounds = Array.from({ length: nightly ? 100 : 6 });

test(
  'of two bookings waiting for approval only one gets a slot, even if one is approved while the other is submitted',
  { timeout: 300_000 },
  async () => {
    for (const _ of rounds) {
      const room_id = await house.room({}, house.strict);
      const id = await house.meet({ room_id });
      expectOk(await house.decide(id, house.head, '同意'));
      const ticket = (await house.get(id)).ticket_id!;
      const [agreed, again, other] = await together([
        () => house.decide(id, house.keeper, '同意', ticket),
        () => house.decide(id, house.keeper, '同意', ticket),
        () => house.ask({ room_id, ...period('09:30', '10:30') }, house.colleague),
      ]);
      expect([agreed!.code, again!.code].filter((code) => code === 0)).toHaveLength(1);
      expect(other!.code).toBe(4009);
      expect(await house.times(room_id)).toHaveLength(1);
    }
    await house.consistent();
  },
);

test(
  'of a meeting moved and another created for the same time one gets it, and the moved one is where it says',
  { timeout: 300_000 },
  async () => {
    for (const _ of rounds) {
      const room_id = await house.room();
      const id = await house.meet({ room_id });
      const [moved, made] = await together([
        () => house.staff.ask(calls.edit, { ...of(id), body: period('11:00', '12:00') as never }),
        () => house.ask({ room_id, ...period('11:30', '12:30') }, house.colleague),
      ]);
      expect([moved!.code, made!.code].toSorted()).toEqual([0, 4009]);
      expect((await house.get(id)).start_time).toBe(on(1, moved!.code === 0 ? '11:00' : '09:00'));
      await house.consistent();
    }
  },
);

test(
  'a meeting cancelled while it is approved is not held and blocks no room, whichever came first',
  { timeout: 300_000 },
  async () => {
    for (const _ of rounds) {
      const room_id = await house.room({}, house.strict);
      const id = await house.meet({ room_id });
      expectOk(await house.decide(id, house.head, '同意'));
      const ticket = (await house.get(id)).ticket_id!;
      const [cancelled, agreed] = await together([
        () => house.staff.ask(calls.cancel, { ...of(id), body: { reason: '不开了' } as never }),
        () => house.decide(id, house.keeper, '同意', ticket),
      ]);
      expectOk(cancelled!);
      expect(agreed!.status).toBe(200);
      expect(await house.get(id)).toMatchObject({ meet_status: 3, act_state: agreed!.code === 0 ? 4 : 5 });
      expect(await house.times(room_id)).toEqual([]);
    }
    await house.consistent();
  },
);

test('a change approved while its meeting is cancelled leaves nothing blocked', { timeout: 300_000 }, async () => {
  for (const _ of rounds) {
    const room_id = await house.room({}, house.strict);
    const id = await house.meet({ room_id });
    await house.agree(id);
    await house.staff.get(calls.edit, { ...of(id), body: { ...period('13:00', '14:00'), reason: '改期' } as never });
    const ticket = (await house.get(id)).change!.ticket_id!;
    const answers = await together([
      () => house.staff.ask(calls.cancel, { ...of(id), body: { reason: '不开了' } as never }),
      () => house.decide(id, house.keeper, '同意', ticket),
    ]);
    expect(answers.map((one) => one.status)).toEqual([200, 200]);
    expectOk(answers[0]!);
    expect(await house.times(room_id)).toEqual([]);
  }
  await house.consistent();
});

test('of two meetings that displace the same one, one succeeds', { timeout: 300_000 }, async () => {
  const [first, second] = [house.keeper, await house.hire('会务二', { roles: ['meet_manager'] })];
  for (const _ of rounds) {
    const room_id = await house.room();
    const to = { room_id: await house.room(), ...period('09:00', '10:00') };
    const id = await house.meet({ room_id, type_id: 9 });
    const higher = async (title: string) =>
      (await first.get(calls.create, { body: house.body({ room_id, type_id: 1, title, submit: false }) as never })).id;
    const [one, two] = [await higher('党委会甲'), await higher('党委会乙')];
    const displace = (who: Client, for_id: number, more: object) => () =>
      who.ask(calls.displace, { ...of(id), body: { for_id, reason: '校务', ...more } as never });
    const answers = await together([displace(first, one, { to }), displace(second, two, {})]);
    expect(
      answers.filter(({ code }) => code === 0),
      JSON.stringify(answers),
    ).toHaveLength(1);
    // The slot is held for the meeting it was freed for, until that takes it.
    expect(await house.times(room_id)).toEqual([expect.stringMatching(/^\d+ 09:00–10:00$/)]);
    await house.consistent();
  }
});
