import { afterAll, beforeAll, expect, test } from 'vitest';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { ledgerCalls, type Use } from '../contract/ledger.ts';
import { sealCalls } from '../contract/seals.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import { calls, openDesk } from '../testing/applications.ts';

let desk: Awaited<ReturnType<typeof openDesk>>;
beforeAll(async () => void (desk = await openDesk()));
afterAll(() => desk.app.close());
// Each try is a separate race: more of them with NIGHTLY=1.
const tries = Array.from({ length: process.env['NIGHTLY'] ? 15 : 2 }, (_one, nth) => nth);

test('a hand-over signed while the old keeper seals: the sealer was keeper at that time, and nothing is sealed twice', async () => {
  const { keeper, other, picture, seal, ready, giveTo, sign } = desk;
  for (const nth of tries) {
    const stamp = await seal({ place: `${nth} 号柜` });
    const id = await ready([stamp]);
    const { event } = await giveTo(stamp);
    const files = [await picture(other.client)];
    const shots = [await picture(keeper.client), await picture(other.client)];
    const put = (who: typeof keeper, pictures: number[]) =>
      who.client.ask(calls.handle, {
        params: { id },
        body: { stamp_ids: [stamp], kind: 'seal', pictures, remark: '加班' } as never,
      });
    const [signed, old, next] = await Promise.all([
      sign(other.client, event, { files }),
      put(keeper, [shots[0]!]),
      put(other, [shots[1]!]),
    ]);
    expect(signed.code, signed.msg).toBe(0);
    const done = [old, next].filter((one) => one.code === 0).length;
    if (done === 0) desk.expectOk(await put(other, [shots[1]!]));
    const { value } = await desk.auditor.client.get(ledgerCalls.ledger, { query: { stamp } });
    const who = old.code === 0 ? '张保管' : '李保管';
    expect((value as Use[]).map((one) => one.keeper)).toEqual([who]);
    expect(await desk.keptNow(stamp)).toBe('李保管');
  }
}, 300_000);

test('a seal lent while it is reported lost is lost, no loan stays open, and the applicant is told', async () => {
  const { seal, ready, trip, handOver, propose, keeper, head, office, clerk } = desk;
  for (const nth of tries) {
    const stamp = await seal({ place: `${nth} 号柜` });
    const id = await ready([stamp], trip(0, 20));
    const [lost] = await Promise.all([
      propose(head.client, stamp, { kind: custodyKind.lost }),
      handOver(id, stamp, keeper.client),
    ]);
    expect(lost.code, lost.msg).toBe(0);
    expect((await office.client.get(sealCalls.stamp, { params: { id: stamp } })).status).toBe(4);
    expect(await desk.line(id, stamp)).toMatchObject({ state: 5 });
    const { loans } = await desk.get(id);
    expect(loans.filter((one) => one.returned_at === null)).toEqual([]);
  }
  const { rows } = await desk.run(`select count(*)::int told from msg m join msg_user u on u.msg_id = m.id
    where m.title like '用印已取消%' and u.user_id = ${clerk.id}`);
  expect(rows).toEqual([{ told: tries.length }]);
}, 300_000);

test('a code scanned while its ticket is withdrawn offers the sealing before that or not at all', async () => {
  const { seal, applied, approve, keeper, clerk, get } = desk;
  // Five, because of the limit on scans per person and minute.
  for (const nth of tries.slice(0, 5)) {
    const stamp = await seal({ place: `${nth} 号柜` });
    const id = await applied([stamp]);
    const { ticket_id, code } = await get(id);
    const scan = () => keeper.client.get(ledgerCalls.scan, { query: { code } });
    const back = clerk.client.ask(ticketActions.retreat, {
      params: { id: ticket_id! },
      body: { suggestion: '改份数' } as never,
    });
    const found = await Promise.all([scan(), scan(), scan()]);
    expect((await back).code).toBe(0);
    for (const one of [...found, await scan()]) expect(one).toMatchObject({ kind: 'application', id, actions: [] });
    expect((await get(id)).act_state).toBe(3);
    await expect(approve(id)).rejects.toThrow('撤回');
    expect(await scan()).toMatchObject({ actions: [] });
  }
}, 300_000);
