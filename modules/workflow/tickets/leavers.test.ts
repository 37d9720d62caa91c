import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { tickets } from './contract.ts';
import { agrees, leaversCast, refuses, save, submit } from './testing/leavers.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof leaversCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await leaversCast(app);
}, 180_000);
afterAll(() => app.close());

const only = (...who: Client[]) => ({ participants: [{ type: 2 as const, users: who.map((one) => one.userId) }] });
const together = { distribution: { type: 4 as const, reject_rule: 3 as const } };
const inTurn = { distribution: { type: 5 as const } };
const claimed = { distribution: { type: 1 as const } };
const leaves = async (who: Client) => {
  expect((await cast.disable(who)).code).toBe(0);
  await cast.settled();
};
const told = async (id: number, who: Client, event: string) => {
  const { rows } = await app.db.$client.query<{ title: string; content: string }>(
    `select m.title, m.content from msg m join msg_user u on u.msg_id = m.id
     where m.module = 'tickets' and m.object_id = $1 and m.event = $2 and u.user_id = $3`,
    [id, event, who.userId],
  );
  return rows;
};

describe('a task that only the leaver could do', () => {
  test('goes to their department’s head, who is told why, as is the applicant; the log names the head', async () => {
    const leaver = await cast.hire('赵一');
    const id = await cast.begin(await cast.flow(only(leaver)));
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['李部长']);
    const line = '办理人已离岗，转由其上级处理：赵一 → 李部长';
    expect((await told(id, cast.head, 'TODO'))[0]?.content).toContain(line);
    expect(await told(id, cast.staff, 'HANDED')).toEqual([
      { title: expect.stringMatching(/^办理人变更：/) as string, content: expect.stringContaining(line) as string },
    ]);
    const { value } = await cast.staff.get(tickets.flowlogs, { params: { id } });
    expect([value.at(-1)!.participant_info, value.at(-1)!.transition.transition_name, value.at(-1)!.reasons]).toEqual([
      null,
      '办理人离岗',
      ['转给 李部长'],
    ]);
    expect((await cast.press(cast.head, id, agrees)).data.act_state).toBe(4);
  });

  test('goes first to their delegate, or to the administrators if the workflow says so', async () => {
    const [leaver, deputy] = [await cast.hire('赵二'), await cast.hire('副手')];
    const [usual, toAdmins] = [await cast.flow(only(leaver)), await cast.flow(only(leaver), { on_leaving: 'admins' })];
    const [first, second] = [await cast.begin(usual), await cast.begin(toAdmins)];
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
    const body = {
      delegate: deputy.username,
      start: `${day(-1)} 00:00:00`,
      end: `${day(5)} 00:00:00`,
    };
    expect((await leaver.ask(delegations.create, { body })).code).toBe(0);
    await leaves(leaver);
    expect([await cast.holders(first), await cast.holders(second)]).toEqual([['副手'], ['流程员']]);
  });

  test('moves as well when the account is deleted, and while the ticket is suspended', async () => {
    const leaver = await cast.hire('赵三');
    const id = await cast.begin(await cast.flow(only(leaver)));
    expect((await cast.act(cast.admin, 'suspend', id)).code).toBe(0);
    expect((await cast.remove(leaver)).code).toBe(0);
    await cast.settled();
    expect(await cast.holders(id)).toEqual(['李部长']);
    expect((await cast.act(cast.admin, 'resume', id)).code).toBe(0);
    expect((await cast.press(cast.head, id, agrees)).code).toBe(0);
  });

  test('goes to the administrators when the department’s head already has a seat in the same state', async () => {
    const leaver = await cast.hire('赵四');
    const id = await cast.begin(await cast.flow({ ...only(leaver, cast.head), ...together }));
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['李部长', '流程员']);
    for (const who of [cast.head, cast.admin]) expect((await cast.press(who, id, agrees)).code).toBe(0);
    expect((await cast.detail(cast.staff, id)).act_state_id).toBe(4);
  });

  test('never goes to the applicant', async () => {
    const leaver = await cast.hire('赵五');
    const id = await cast.begin(await cast.flow(only(leaver)), cast.head);
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['流程员']);
  });
});

describe('a task that others may do as well as the leaver', () => {
  test('stays with those others, and nobody else is asked', async () => {
    const [leaver, mate] = [await cast.hire('钱一'), await cast.hire('钱二')];
    const id = await cast.begin(await cast.flow(only(leaver, mate)));
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['钱二']);
    expect((await cast.press(mate, id, agrees)).data.act_state).toBe(4);
  });

  test('returns to its candidates if the leaver had claimed it', async () => {
    const [leaver, mate, third] = [await cast.hire('钱三'), await cast.hire('钱四'), await cast.hire('钱五')];
    const id = await cast.begin(await cast.flow({ ...only(leaver, mate, third), ...claimed }));
    expect((await leaver.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
    expect(await cast.holders(id)).toEqual(['钱三']);
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['钱四', '钱五']);
    expect((await mate.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
    expect(await told(id, third, 'TODO')).not.toEqual([]);
  });

  test('goes on to a substitute if the leaver was the last of the role', async () => {
    const leaver = await cast.hire('钱六', { roles: ['order_desk'] });
    const mate = await cast.hire('钱七', { roles: ['order_desk'] });
    const id = await cast.begin(
      await cast.flow({ participants: [{ type: 4, roles: ['order_desk'] }], ...claimed, on_empty: 4 }),
    );
    expect((await leaver.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
    await leaves(mate);
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['李部长']);
  });
});

describe('a leaver’s seat whose turn comes later', () => {
  test('passes to another holder at once, who is asked in turn', async () => {
    const [first, leaver, third] = [await cast.hire('孙一'), await cast.hire('孙二'), await cast.hire('孙三')];
    const id = await cast.begin(await cast.flow({ ...only(first, leaver, third), ...inTurn }));
    await leaves(leaver);
    expect(await cast.holders(id, ['waiting'])).toEqual(['李部长', '孙三']);
    expect((await leaver.ask(tickets.get, { params: { id } })).code).not.toBe(0);
    expect((await cast.press(first, id, agrees)).code).toBe(0);
    expect(await cast.holders(id)).toEqual(['李部长']);
    expect((await cast.press(cast.head, id, agrees)).code).toBe(0);
    expect((await cast.press(third, id, agrees)).data.act_state).toBe(4);
  });

  test('that waits for opinions gets them for its new holder, also when an added signer in between has left', async () => {
    const [a, b, c] = [await cast.hire('周一'), await cast.hire('周二'), await cast.hire('周三')];
    const id = await cast.begin(await cast.flow(only(a)));
    const adds = async (who: Client, whom: Client) =>
      expect((await cast.act(who, 'addNode', id, { target_username: [whom.username] })).code).toBe(0);
    await adds(a, b);
    await adds(b, c);
    await leaves(b);
    expect([await cast.holders(id), await cast.holders(id, ['waiting'])]).toEqual([['周三'], ['李部长', '周一']]);
    expect(await told(id, a, 'HANDED')).toHaveLength(1);
    expect((await cast.act(c, 'addNodeEnd', id)).code).toBe(0);
    expect(await cast.holders(id)).toEqual(['李部长']);
    await leaves(a);
    expect(await cast.holders(id, ['waiting'])).toEqual(['流程员']);
    expect((await cast.act(cast.head, 'addNodeEnd', id)).code).toBe(0);
    expect(await cast.holders(id)).toEqual(['流程员']);
    expect((await cast.press(cast.admin, id, agrees)).data.act_state).toBe(4);
  });
});

describe('an applicant who leaves', () => {
  test('passes returned tickets to their head, who submits or closes them, and keeps their own drafts', async () => {
    const [leaver, boss] = [await cast.hire('吴一'), await cast.hire('吴二')];
    const flow = await cast.flow(only(boss));
    const [again, over] = [await cast.begin(flow, leaver), await cast.begin(flow, leaver)];
    const draft = await cast.begin(flow, leaver, save);
    expect((await cast.press(boss, again, refuses)).code).toBe(0);
    expect((await cast.act(leaver, 'retreat', over)).code).toBe(0);
    await leaves(leaver);
    expect([await cast.holders(again), await cast.holders(over), await cast.holders(draft)]).toEqual([
      ['李部长'],
      ['李部长'],
      ['吴一'],
    ]);
    expect(await told(again, cast.head, 'TODO')).toHaveLength(1);
    expect((await cast.press(cast.head, again, submit)).code).toBe(0);
    expect(await cast.holders(again)).toEqual(['吴二']);
    expect((await cast.act(cast.head, 'close', over)).data.act_state).toBe(5);
  });

  test('gets no later refusal back: it goes to their head as well', async () => {
    const [leaver, boss] = [await cast.hire('吴三'), await cast.hire('吴四')];
    const id = await cast.begin(await cast.flow(only(boss)), leaver);
    await leaves(leaver);
    expect(await cast.holders(id)).toEqual(['吴四']);
    expect((await cast.press(boss, id, refuses)).code).toBe(0);
    expect(await cast.holders(id)).toEqual(['李部长']);
  });
});
