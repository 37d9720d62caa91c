import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { ticketActions } from './contract/actions.ts';
import { agrees, goesOn, staysCast, submit } from './testing/stays.ts';

const races = Number(process.env['RACES'] ?? (process.env['NIGHTLY'] ? 200 : 20));
const ways = 8;

let app: TestOffice;
let cast: Awaited<ReturnType<typeof staysCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await staysCast(app);
}, 180_000);
afterAll(() => app.close());

/** A ticket in the state that waits for the tickets below it. */
const waiting = async (flow = cast.keeps) => {
  const id = await cast.begin(flow);
  expect((await cast.press(cast.one, id, agrees)).code).toBe(0);
  return id;
};
const at = async (id: number) => (await cast.detail(cast.staff, id)).state.state_name;
const actState = async (id: number) => (await cast.detail(cast.two, id)).act_state_id;
const again = async (id: number) => {
  expect((await cast.press(cast.staff, id, submit)).code).toBe(0);
  expect((await cast.press(cast.one, id, agrees)).code).toBe(0);
};
const codes = async (id: number) => (await cast.detail(cast.one, id)).transitions.map((offer) => offer.code);

describe('a child ticket of a state', () => {
  test('belongs to one stay of its parent: after a withdrawal and resubmission it neither blocks nor ends the new stay', async () => {
    const id = await waiting();
    const [old, draft] = [await cast.below(id), await cast.below(id, 9)];
    expect((await cast.retreat(cast.staff, id)).code).toBe(0);
    expect(await actState(old), 'it goes on by itself').toBe(1);
    await again(id);
    const seen = await cast.detail(cast.two, id);
    expect([seen.waits, seen.transitions.map((offer) => offer.code)]).toEqual([
      [],
      expect.arrayContaining(['approve']),
    ]);
    const fresh = await cast.below(id);
    expect((await cast.press(cast.two, id, goesOn)).code, 'the new one holds it').toBe(4010);
    expect((await cast.press(cast.helper, old, agrees)).code).toBe(0);
    expect(await at(id), 'the old one ends nothing').toBe('协办');
    const late = await cast.press(cast.two, draft, submit);
    expect([late.code, late.msg]).toEqual([4010, expect.stringContaining('已离开环节“协办”，这份草稿不能再提交')]);
    expect((await cast.press(cast.helper, fresh, agrees)).code).toBe(0);
    expect(await at(id)).toBe('收尾');
  });

  test('does not block a later stay of its parent', async () => {
    const id = await waiting();
    await cast.below(id);
    expect((await cast.retreat(cast.staff, id)).code).toBe(0);
    await again(id);
    expect((await cast.press(cast.two, id, goesOn)).code).toBe(0);
    expect(await at(id)).toBe('收尾');
  });

  test('keeps the decision that led to its stay from being taken back while it runs, and no longer', async () => {
    const id = await waiting();
    expect(await codes(id)).toContain('retreat');
    const [child] = [await cast.below(id), await cast.below(id, 9)];
    expect(await codes(id)).not.toContain('retreat');
    const refused = await cast.retreat(cast.one, id);
    expect([refused.code, refused.msg]).toEqual([4010, '下级工单还在办，现在不能撤回，请先办完或关闭下级工单']);
    expect((await cast.retreat(cast.two, child)).code).toBe(0);
    expect((await cast.retreat(cast.one, id)).code, 'withdrawn it is not over').toBe(4010);
    expect((await cast.two.ask(ticketActions.close, { params: { id: child }, body: {} })).code).toBe(0);
    expect((await cast.retreat(cast.one, id)).code).toBe(0);
    expect(await at(id)).toBe('审批');
  });

  test('is closed with the withdrawn decision if the workflow says so, and its people are told', async () => {
    const [taken, withdrawn] = [await waiting(cast.takes), await waiting(cast.takes)];
    const [one, two, over] = [await cast.below(taken), await cast.below(withdrawn), await cast.below(taken)];
    expect((await cast.press(cast.helper, over, agrees)).code).toBe(0);
    expect(await codes(taken)).toContain('retreat');
    expect((await cast.retreat(cast.one, taken)).code).toBe(0);
    expect((await cast.retreat(cast.staff, withdrawn)).code).toBe(0);
    expect([await actState(one), await actState(two), await actState(over)]).toEqual([5, 5, 4]);
    expect([await at(taken), await at(withdrawn)]).toEqual(['审批', '填写']);
    const { rows } = await app.db.$client.query<{ event: string; user_id: number }>(
      `select m.event, u.user_id from msg m join msg_user u on u.msg_id = m.id
       where m.object_id = $1 and m.event in ('CLOSED', 'WITHDRAWN') order by 1`,
      [one],
    );
    expect(rows).toEqual([
      { event: 'CLOSED', user_id: cast.two.userId },
      { event: 'WITHDRAWN', user_id: cast.helper.userId },
    ]);
  });
});

test(
  `a parent started, ended, closed and withdrawn at once keeps each child in its own stay (${ways} ways × ${races})`,
  async () => {
    const left = Array.from({ length: races }, (_one, round) => round);
    const worker = async () => {
      for (let round = left.shift(); round !== undefined; round = left.shift()) {
        const id = await waiting([cast.takes, cast.keeps, cast.closes][round % 3]);
        const child = await cast.below(id);
        const [close, said] = [ticketActions.close, { params: { id }, body: { suggestion: '不办了' } }];
        const answers = await Promise.all([
          ...(round % 4 < 2 ? [app.admin.ask(close, said), cast.press(cast.helper, child, agrees)] : []),
          cast.retreat(cast.one, id),
          cast.retreat(cast.staff, id),
          cast.press(cast.helper, child, agrees),
          cast.tryBelow(id),
          cast.tryBelow(id),
          cast.press(cast.two, id, goesOn),
          cast.retreat(cast.one, id),
          cast.tryBelow(id),
        ]);
        const known = [0, 4000, 4004, 4010];
        expect(answers.filter((answer) => !known.includes(answer.code))).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    const { rows: strays } = await app.db.$client.query(`
      select c.id from ticket c join ticket p on p.id = c.parent_ticket_id join workflow f on f.id = p.workflow_id
      where f.key = 'takes' and c.act_state not in (0, 4, 5) and not exists (select from ticket_token k where k.ticket_id = p.id
        and (k.no, k.visit, k.status) = (c.parent_token_no, c.parent_visit, 'active'))`);
    expect(strays, 'nothing runs below a stay that was taken back').toEqual([]);
    const { rows: early } = await app.db.$client.query(`
      select l.ticket_id from ticket_log l join ticket p on p.id = l.ticket_id
      where l.action = 'children' and exists (select from ticket c where c.parent_ticket_id = p.id and c.act_state not in (0, 4, 5))`);
    expect(early, 'none went on while another of the stay ran').toEqual([]);
    const { rows: stuck } = await app.db.$client.query(`
      select p.id, p.act_state from ticket p join workflow f on f.id = p.workflow_id
      where f.key in ('keeps', 'takes', 'closes') and p.act_state in (1, 2, 3) and not exists (
        select from ticket_task w where w.ticket_id = p.id and w.status = 'todo')`);
    expect(stuck).toEqual([]);
    const { rows: halted } = await app.db.$client.query(`
      select p.id from ticket p join ticket_token k on k.ticket_id = p.id and k.state_id = 3 and k.status = 'active'
      where exists (select from ticket c where (c.parent_ticket_id, c.parent_token_no, c.parent_visit) = (p.id, k.no, k.visit))
        and not exists (select from ticket c where (c.parent_ticket_id, c.parent_token_no, c.parent_visit) = (p.id, k.no, k.visit)
          and c.act_state not in (4, 5))`);
    expect(halted, 'where all of a stay are over it went on').toEqual([]);
  },
  60_000 + races * 1500,
);
