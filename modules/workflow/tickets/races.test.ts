import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { headAgrees, headRefuses, repairCast } from './testing/repair.ts';

const races = Number(process.env['RACES'] ?? 200);

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  await app.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values({
      workflow_id: cast.repair,
      permission: 'intervene',
      holder_type: 'user',
      holder: String(cast.second.userId),
    }),
  );
}, 180_000);
afterAll(() => app.close());

const act = (who: keyof typeof people, action: 'retreat' | 'deliver' | 'close' | 'addNode', id: number, body: object) =>
  cast[people[who]].ask(actions[action] as typeof actions.deliver, { params: { id }, body: body as never });
const people = { staff: 'staff', head: 'head', admin: 'second' } as const;
const helper = () => cast.username(cast.helper);

/** Simultaneous attempts on one ticket; at most `max` of them may succeed. */
const contests: {
  name: string;
  max: number;
  tries: (id: number, round: number) => Promise<{ code: number; msg: string }>[];
}[] = [
  {
    name: 'decisions',
    max: 1,
    tries: (id, round) =>
      Array.from({ length: 2 + (round % 7) }, (_one, index) =>
        cast.does(cast.head, id, index % 2 ? headRefuses : headAgrees),
      ),
  },
  {
    name: 'withdrawal and decision',
    // After the decision there is nothing to withdraw, and the other way round.
    max: 1,
    tries: (id) => [act('staff', 'retreat', id, {}), cast.does(cast.head, id, headAgrees)],
  },
  {
    name: 'two withdrawals',
    max: 1,
    tries: (id) => [act('staff', 'retreat', id, {}), act('staff', 'retreat', id, {})],
  },
  {
    name: 'two hand-overs',
    // Both hand it to other people: one of them has the task afterwards, never both.
    max: 1,
    tries: (id) => [
      act('head', 'deliver', id, { target_username: helper() }),
      act('head', 'deliver', id, { target_username: cast.username(cast.second) }),
    ],
  },
  {
    name: 'hand-over and withdrawal',
    max: 2,
    tries: (id) => [act('head', 'deliver', id, { target_username: helper() }), act('staff', 'retreat', id, {})],
  },
  {
    name: 'hand-over and close',
    max: 2,
    tries: (id) => [
      act('head', 'deliver', id, { target_username: helper() }),
      act('admin', 'close', id, { suggestion: '关闭' }),
    ],
  },
  {
    name: 'added signer and close',
    max: 2,
    tries: (id) => [
      act('head', 'addNode', id, { target_username: [helper()] }),
      act('admin', 'close', id, { suggestion: '关闭' }),
    ],
  },
];

test(
  'of simultaneous actions exactly those in the log took effect, and no ticket is stuck or half closed (I8)',
  async () => {
    const ids = Array.from({ length: races }, (_one, round) => round);
    const done = new Map<number, { name: string; won: number; max: number }>();
    const worker = async () => {
      for (let round = ids.shift(); round !== undefined; round = ids.shift()) {
        const contest = contests[round % contests.length]!;
        const { id } = await cast.begin({ amount: 6000 });
        const answers = await Promise.all(contest.tries(id, round));
        expect(answers.filter((answer) => answer.code !== 0 && answer.code !== 4010 && answer.code !== 4004)).toEqual(
          [],
        );
        const won = answers.filter((answer) => answer.code === 0).length;
        done.set(id, { name: contest.name, won, max: contest.max });
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
    const { rows } = await app.db.$client.query<{ id: number; act_state: number; actions: number; open: number }>(`
      select t.id, t.act_state,
        (select count(*)::int from ticket_log l where l.ticket_id = t.id and l.actor_id is not null) - 1 as actions,
        (select count(*)::int from ticket_task w where w.ticket_id = t.id and w.status in ('todo', 'waiting')) as open
      from ticket t`);
    for (const { id, act_state, actions, open } of rows) {
      const { name, won, max } = done.get(id)!;
      expect([name, actions], `ticket ${id}`).toEqual([name, won]);
      expect(won).toBeGreaterThan(0);
      expect(won).toBeLessThanOrEqual(max);
      expect(open > 0, `${name}: ticket ${id} in ${act_state}`).toBe(act_state !== 5);
    }
    expect(rows).toHaveLength(races);
    const { rows: numbers } = await app.db.$client.query<{ all: number; day: string; highest: number }>(`
      select count(distinct sn)::int as all, left(sn, 10) as day, max(substr(sn, 11)::int) as highest from ticket group by 2`);
    expect(
      numbers.map(({ all, highest }) => highest - all),
      'I14: each number once, none left out',
    ).toEqual(numbers.map(() => 0));
    const { rows: toldTwice } = await app.db.$client.query(`
      select m.object_id, m.event from msg m join msg_user u on u.msg_id = m.id where m.module = 'tickets'
      group by m.object_id, m.event, u.user_id having count(*) > 1`);
    expect(toldTwice, 'one set of messages, closed ones too').toEqual([]);
    const { rows: untold } = await app.db.$client.query(`
      select w.ticket_id, w.assignee_id from ticket_task w join ticket t on t.id = w.ticket_id
      where w.status = 'todo' and t.act_state = 1 and not exists (select from msg m join msg_user u on u.msg_id = m.id
        where m.module = 'tickets' and m.object_id = w.ticket_id and m.event = 'TODO' and u.user_id = w.assignee_id)`);
    expect(untold, 'everybody who has it now was told').toEqual([]);
  },
  races * 500,
);
