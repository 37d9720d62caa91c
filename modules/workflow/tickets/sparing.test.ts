import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { hashOf } from '#modules/workflow/workflows/service.ts';
import { workflowVersionTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

let app: TestOffice;
let [creator, one, two, three, four, five]: Client[] = [];
let again: number;
let vote: number;
beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept();
  const hire = () => app.clerk({ 'ticket/new': ['Create'] }, { dept });
  [creator, one, two, three, four, five] = [
    await hire(),
    await hire(),
    await hire(),
    await hire(),
    await hire(),
    await hire(),
  ];
  const fields = [
    { id: 1, key: 'amount', name: '金额', type: 10 as const },
    { id: 2, key: 'secret', name: '底价', type: 10 as const },
  ];
  const steps = (asked: readonly (readonly [Client[], object])[]): Pick<DefinitionInput, 'states' | 'transitions'> => ({
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { amount: 3, secret: 3 } },
      ...asked.map(([people, more], index) => ({
        id: index + 2,
        key: `s${index + 2}`,
        name: `第${index + 1}步`,
        kind: 'approve' as const,
        order: index + 2,
        participants: [{ type: 2 as const, users: people.map((who) => who.userId) }],
        ...more,
      })),
      { id: 9, key: 'end', name: '结束', kind: 'end', order: 9 },
    ],
    transitions: [1, ...asked.map((_none, index) => index + 2)].flatMap((source) => [
      {
        id: source,
        key: `t${source}`,
        name: '同意',
        source,
        destination: source <= asked.length ? source + 1 : 9,
        attribute: 1 as const,
      },
      ...(source > 1
        ? [{ id: source + 20, key: `r${source}`, name: '拒绝', source, destination: 1, attribute: 2 as const }]
        : []),
    ]),
  });
  const settings = { title_template: '{workflow}' };
  again = await addFlow(app, 'again', {
    name: '再问',
    fields,
    settings,
    ...steps([
      [[one!], { access: { amount: 1 } }],
      [[two!], { access: { amount: 3, secret: 3 } }],
      [[one!], { access: { amount: 1 }, dedupe: 'round' }],
    ]),
  });
  vote = await addFlow(app, 'vote', {
    name: '表决',
    fields,
    settings,
    ...steps([
      [[one!], { access: { amount: 1 } }],
      [
        [one!, two!, three!, four!, five!],
        { access: { amount: 1 }, dedupe: 'round', distribution: { type: 4, reject_rule: 2, pass_ratio: 60 } },
      ],
    ]),
  });
}, 180_000);
afterAll(() => app.close());

const begin = async (workflow_id: number) =>
  (await creator!.get(tickets.start, { body: { workflow_id, transition_id: 1, amount: 100 } })).id;
const press = (who: Client | undefined, id: number, transition_id: number, fields: object = {}) =>
  who!.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...fields } });
const seen = async (id: number) => (await creator!.get(tickets.get, { params: { id } })).value;
const log = async (id: number) => (await creator!.get(tickets.flowlogs, { params: { id } })).value;

test('a person who approved is not asked again while all they see is unchanged, and the log names the decision relied on', async () => {
  const id = await begin(again);
  await press(one, id, 2);
  await press(two, id, 3, { secret: 5 });
  expect((await seen(id)).act_state_id).toBe(4);
  const said = (await log(id)).flatMap((row) => row.reasons).join('');
  expect(said).toContain('办理人本轮已在“第1步”同意过，看到的内容没有变化，自动跳过');
});

test('a person who approved 100 is asked again after somebody changed the amount to 99,999', async () => {
  const id = await begin(again);
  await press(one, id, 2);
  await press(two, id, 3, { amount: 99_999 });
  expect((await seen(id)).state.state_name).toBe('第3步');
  expect((await press(one, id, 4)).act_state).toBe(4);
});

test('a spared approver counts in the base and as a yes: of five at 60 % one spared and two more pass', async () => {
  const id = await begin(vote);
  await press(one, id, 2);
  await press(two, id, 23);
  await press(three, id, 3);
  expect((await seen(id)).act_state_id).toBe(1);
  await press(four, id, 3);
  expect((await seen(id)).act_state_id).toBe(4);
  const said = (await log(id)).flatMap((row) => row.reasons).join('\n');
  expect(said).toMatch(/“第2步”共 5 人，需要 3 人同意，已同意 3 人、拒绝 1 人；.+沿用先前的同意；.+不再需要办理/);
});

/** Publishes another version of a workflow, in which the access of some states differs, and moves its running tickets there. */
async function showOtherwise(workflow_id: number, access: Readonly<Record<number, Record<string, 1 | 3>>>) {
  await app.services.databases.write(async (tx) => {
    const { workflow_id: of, status } = workflowVersionTable;
    const published = and(eq(of, workflow_id), eq(status, 'published'));
    const [last] = await tx.select().from(workflowVersionTable).where(published);
    const before = last!.definition;
    const states = before.states.map((state) => ({ ...state, access: access[state.id] ?? state.access }));
    const definition = Definition.parse({ ...before, states });
    await tx.update(workflowVersionTable).set({ status: 'retired' }).where(published);
    const more = { no: last!.no + 1, hash: hashOf(definition), published_at: new Date().toISOString() };
    await tx.insert(workflowVersionTable).values({ workflow_id, status: 'published', definition, ...more });
  });
  const asked = { params: { id: workflow_id }, body: { dry_run: false } };
  return (await app.admin.get(releaseCalls.migrate, asked)).moved;
}

test('a person who approved is asked again by a later version that shows them more, though no value changed', async () => {
  const id = await begin(again);
  await press(one, id, 2);
  expect(await showOtherwise(again, { 2: { amount: 1, secret: 1 }, 4: { amount: 1, secret: 1 } })).toBeGreaterThan(0);
  await press(two, id, 3);
  expect((await seen(id)).state.state_name).toBe('第3步');
  const later = await begin(again);
  await press(one, later, 2);
  await press(two, later, 3);
  expect((await seen(later)).act_state_id, 'who agreed in the new version saw it').toBe(4);
});

test('a person who approved is not asked again by a later version that shows them the same or less', async () => {
  const id = await begin(again);
  await press(one, id, 2);
  expect(await showOtherwise(again, { 2: { amount: 1 }, 4: { amount: 1 } })).toBeGreaterThan(0);
  await press(two, id, 3);
  expect((await seen(id)).act_state_id).toBe(4);
});
