import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { leaversCast } from './testing/leavers.ts';

const races = Number(process.env['RACES'] ?? (process.env['NIGHTLY'] ? 200 : 12));
const [submit, passes, done] = [1, 2, 3];

let app: TestOffice;
let cast: Awaited<ReturnType<typeof leaversCast>>;
let mate: Client;
let [single, pool]: number[] = [];
beforeAll(async () => {
  app = await openTestApp();
  cast = await leaversCast(app);
  mate = await cast.hire('同事');
  const flow = (key: string, distribution: 1 | 2): Promise<number> =>
    addFlow(app, key, {
      name: key,
      fields: [{ id: 1, key: 'who', name: '办理人', type: 70 }],
      settings: { title_template: '{workflow}' },
      states: [
        { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { who: 2 } },
        {
          id: 2,
          key: 'first',
          name: '初审',
          kind: 'approve',
          order: 2,
          participants: [{ type: 1, user: mate.userId }],
          actions: ['add_node', 'delegate'],
        },
        {
          id: 3,
          key: 'second',
          name: '办理',
          kind: 'approve',
          order: 3,
          participants: [{ type: 7, field: 'who' }],
          distribution: { type: distribution },
          on_empty: 4,
        },
        { id: 4, key: 'end', name: '结束', kind: 'end', order: 4 },
      ],
      transitions: [
        { id: submit, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
        { id: passes, key: 'passes', name: '通过', source: 2, destination: 3, attribute: 1 },
        { id: done, key: 'done', name: '完成', source: 3, destination: 4, attribute: 1 },
      ],
    });
  [single, pool] = [await flow('single', 2), await flow('pool', 1)];
}, 180_000);
afterAll(() => app.close());

test(
  `after a leaver races with seven actions, nothing is left with them and no ticket is stuck (8 ways × ${races})`,
  async () => {
    const left = Array.from({ length: races }, (_one, round) => round);
    const worker = async () => {
      for (let round = left.shift(); round !== undefined; round = left.shift()) {
        const leaver = await cast.hire(`离岗${round}`);
        const name = leaver.username;
        const both = [name, cast.admin.username];
        const start = async (workflow_id: number, who: string[]) =>
          (await cast.staff.get(tickets.start, { body: { workflow_id, transition_id: submit, who } as never })).id;
        const onward = async (id: number) => {
          expect((await cast.press(mate, id, passes)).code).toBe(0);
          return id;
        };
        const [theirs, coming] = [await onward(await start(single!, [name])), await start(single!, [name])];
        const [shared, onTheWay] = [await onward(await start(pool!, both)), await start(pool!, both)];
        const [asking, lending] = [await start(single!, [name]), await start(single!, [name])];
        const answers = await Promise.all([
          cast.disable(leaver),
          cast.press(leaver, theirs, done),
          cast.press(mate, coming, passes),
          leaver.ask(tickets.accept, { params: { id: shared }, body: {} }),
          cast.press(mate, onTheWay, passes),
          cast.act(mate, 'addNode', asking, { target_username: [name] }),
          cast.act(mate, 'delegate', lending, { target_username: name }),
          cast.staff.ask(tickets.start, {
            body: { workflow_id: single!, transition_id: submit, who: [name] } as never,
          }),
        ]);
        const strange = answers.filter((one) => ![0, 4000, 4001, 4010].includes(one.code));
        expect(strange).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    await cast.settled();
    const { rows: kept } = await app.db.$client.query(`
      select w.ticket_id, w.no, w.status from ticket_task w join app_user u on u.id = w.assignee_id
      where w.status in ('todo', 'waiting') and not u.is_active`);
    expect(kept, 'nothing is open for somebody who has left').toEqual([]);
    const { rows: halted } = await app.db.$client.query(`
      select t.id from ticket t where t.act_state in (1, 2, 3) and not exists (
        select from ticket_task w where w.ticket_id = t.id and w.status = 'todo')`);
    expect(halted, 'somebody has each of them').toEqual([]);
    const { rows: untold } = await app.db.$client.query(`
      select w.ticket_id, w.assignee_id from ticket_task w join ticket t on t.id = w.ticket_id
      where w.status = 'todo' and t.act_state = 1 and not exists (select from msg m join msg_user u on u.msg_id = m.id
        where m.module = 'tickets' and m.object_id = w.ticket_id and m.event = 'TODO' and u.user_id = w.assignee_id and u.closed_at is null)`);
    expect(untold, 'and was told').toEqual([]);
  },
  120_000 + races * 4000,
);
