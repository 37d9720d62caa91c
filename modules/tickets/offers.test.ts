import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import { repairCast } from './testing/repair.ts';

let office: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let other: Client;
beforeAll(async () => {
  office = await openTestOffice();
  cast = await repairCast(office);
  other = await cast.clerk('钱七', { roles: ['order_handler'] });
}, 60_000);
afterAll(() => office.close());

test('what is offered succeeds and what is not is refused, for everybody at each step (I15)', async () => {
  const { staff, head, leader, worker, begin, does } = cast;
  const everybody = [staff, head, leader, worker, other];
  for (let walk = 0; walk < 2; walk++) {
    const { id } = await begin({ amount: walk % 2 ? 9000 : 10 });
    for (let step = 0; step < 8; step++) {
      const offers = [];
      for (const who of everybody) {
        const answer = await who.ask(tickets.transitions, { params: { id } });
        const mine = answer.code === 0 ? answer.data.value : [];
        const others = [1, 2, 3, 4, 5, 6, 7, 8].filter((one) => !mine.some((offer) => offer.transition_id === one));
        const refused = await Promise.all(others.map((transition) => does(who, id, transition)));
        expect(refused.filter(({ code }) => code !== 4004 && code !== 4010)).toEqual([]);
        offers.push(
          ...mine
            .filter((offer) => offer.transition_id !== null || offer.code === 'accept')
            .map((offer) => ({ who, offer })),
        );
      }
      if (offers.length === 0) break;
      const { who, offer } = offers[(walk + step) % offers.length]!;
      const answer =
        offer.code === 'accept'
          ? await who.ask(tickets.accept, { params: { id }, body: {} })
          : await does(who, id, offer.transition_id!, offer.state_id === 4 ? { result: '好了' } : {});
      expect([offer.code, answer.code, answer.msg]).toEqual([offer.code, 0, expect.any(String)]);
    }
  }
}, 90_000);
