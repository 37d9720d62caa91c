import { afterAll, expect, test } from 'vitest';
import { countDeadlocks } from '#apps/server/testing/deadlocks.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, stranger, sub, subs, items, sheets, put } = house;
afterAll(app.close);

test('pairs of actions that number sheets or lock several items succeed at once without a deadlock or a gap', async () => {
  const three = await Promise.all(
    ['甲', '乙', '丙'].map((title) =>
      house.run({ title, subs: [sub(), sub({ title: '第二项', owner: stranger.userId })] }),
    ),
  );
  const ids = three.map((one) => one.id);
  const drafts = await Promise.all(Array.from({ length: 12 }, (_none, at) => house.create({ title: `待交办 ${at}` })));
  const paper = { colour: 2, content: '请说明', answer_by: inDays(3) };
  const acts: Record<string, (round: number) => Promise<{ code: number; msg: string }>> = {
    single: (round) => put(clerk, sheets.issue, ids[round % 3]!, { sub_ids: [three[round % 3]!.subs[0]!], ...paper }),
    several: (round) =>
      clerk.ask(sheets.several, {
        body: { supervise_ids: round % 2 ? ids : ids.toReversed(), whom: 1, ...paper } as never,
      }),
    issue: () => put(clerk, items.issue, drafts.pop()!),
    add: (round) =>
      clerk.ask(subs.create, {
        body: { ...sub({ title: `新增 ${round}` }), supervise_id: ids[(round + 1) % 3]! } as never,
      }),
    hand: (round) =>
      put(clerk, subs.update, three[round % 3]!.subs[1]!, {
        owner: round % 2 ? staff.userId : stranger.userId,
        reason: '调整',
      }),
  };
  const names = Object.keys(acts);
  for (const [at, one] of names.entries())
    for (const other of names.slice(at))
      for (const round of [0, 1]) {
        const storm = one === 'issue' || other === 'issue' ? 1 : 3;
        const said = await Promise.all(
          Array.from({ length: storm }, (_none, no) => [acts[one]!(round + no), acts[other]!(round + no + 1)]).flat(),
        );
        for (const { code, msg } of said) expect({ one, other, code, msg }).toMatchObject({ code: 0 });
      }
  expect(await countDeadlocks(app)).toBe(0);
  const { rows } = await house.sql('select seq from supervise_sheet order by seq');
  expect(rows.map((row: { seq: number }) => row.seq)).toEqual(rows.map((_row, at) => at + 1));
});
