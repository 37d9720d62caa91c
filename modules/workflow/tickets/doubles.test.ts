import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { doubledValues } from '#modules/workflow/workflows/engine/starting/doubles.ts';
import { sql } from 'drizzle-orm';
import { startInName } from './automation/in-name.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { agree, approvalOf, asks, confirms, refuse, submit, withConfirmation } from './testing/approvals.ts';
import { addFlow } from './testing/flow.ts';

const save = 1;
type Doubles = NonNullable<NonNullable<DefinitionInput['settings']>['doubles']>;

let school: School;
let serial = 0;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const definitionOf = (doubles: Partial<Doubles>): DefinitionInput => {
  const { fields, states, settings, ...rest } = approvalOf(`查重${++serial}`, asks(school.head));
  const access = { title: 2, number: 3, amount: 3 } as const;
  return {
    ...rest,
    fields: [
      ...fields,
      { id: 3, key: 'number', name: '发票号码', type: 5 },
      { id: 4, key: 'amount', name: '金额', type: 16 },
    ],
    states: states.map((state) => ({
      ...state,
      access,
      ...(state.id === 2 && { actions: ['retreat', 'return'] as const }),
    })) as never,
    settings: { ...settings, doubles: { fields: ['number', 'amount'], days: 30, rule: 'refuse', ...doubles } },
  };
};
const flow = (doubles: Partial<Doubles> = {}) => {
  const definition = definitionOf(doubles);
  return addFlow(school.office, `doubles_${serial}`, definition);
};
const invoice = { title: '发票', number: '25312000', amount: 98.5 };
const start = (workflow_id: number, who: Client = school.staff, more: object = {}, transition_id = submit) =>
  who.ask(tickets.start, { body: { workflow_id, transition_id, ...invoice, ...more } });
const handle = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } });

/** Makes a ticket 31 days older, with its log. */
const age = (id: number) =>
  school.office.services.databases.write(async (tx) => {
    await tx.execute(sql`update ticket set submitted_at = submitted_at - interval '31 days' where id = ${id}`);
    await tx.execute(sql`alter table ticket_log disable trigger user`);
    await tx.execute(sql`update ticket_log set at = at - interval '31 days' where ticket_id = ${id}`);
    await tx.execute(sql`alter table ticket_log enable trigger user`);
  });

test('a ticket with the same fields is refused with the other’s number where that may be seen, and without it otherwise', async () => {
  const { staff, colleague, head } = school;
  const workflow_id = await flow();
  const { sn } = (await start(workflow_id)).data;
  expect(await start(workflow_id)).toMatchObject({
    code: 4009,
    msg: `30 天内已提交过“发票号码、金额”相同的工单 ${sn}，不能重复提交，请在原工单上办理`,
    data: { conflicts: [sn], can_force: false },
  });
  expect((await start(workflow_id, staff, { force: true })).code, 'a refusal is no question').toBe(4009);
  const other = await start(workflow_id, colleague);
  expect(other.msg).toBe(
    '30 天内已提交过“发票号码、金额”相同的工单（由他人提交，您不能查看），不能重复提交，如有疑问请联系流程管理员',
  );
  expect(JSON.stringify(other)).not.toContain(sn);
  expect((await start(workflow_id, head)).msg, 'the head has it to decide').toContain(sn);
  expect((await start(workflow_id, staff, { amount: 98.51 })).code).toBe(0);
  expect((await start(workflow_id, staff, { number: '' })).code).toBe(0);
  expect((await start(workflow_id, staff, { number: '' })).code, 'nothing known to be the same').toBe(0);
});

test('a workflow that asks lets the ticket be submitted after its person has said that they mean it', async () => {
  const workflow_id = await flow({ rule: 'ask' });
  const { sn } = (await start(workflow_id)).data;
  const asked = await start(workflow_id);
  expect(asked).toMatchObject({
    code: 4009,
    msg: `30 天内已提交过“发票号码、金额”相同的工单 ${sn}，请核对是否重复；不是重复的可以继续提交`,
    data: { can_force: true },
  });
  expect((await start(workflow_id, school.staff, { force: true })).code).toBe(0);
});

test('only tickets of the same applicant count where the workflow says so, and only those of its days', async () => {
  const { staff, colleague } = school;
  const workflow_id = await flow({ own: true });
  const { id } = (await start(workflow_id)).data;
  expect((await start(workflow_id, colleague)).code).toBe(0);
  expect((await start(workflow_id)).code).toBe(4009);
  await age(id);
  expect((await start(workflow_id, staff)).code).toBe(0);
});

test('the days are counted from the last submission, after a return too', async () => {
  const { staff, head } = school;
  const workflow_id = await flow();
  const { id } = (await start(workflow_id)).data;
  await handle(head, id, refuse);
  await age(id);
  expect((await handle(staff, id, submit)).code).toBe(0);
  expect((await start(workflow_id)).code).toBe(4009);
});

test('a withdrawn ticket that an administrator moves on is compared too, and where the workflow asks it passes', async () => {
  const { office, staff } = school;
  const movedOn = async (rule: Doubles['rule']) => {
    const workflow_id = await flow({ rule });
    const { id } = (await start(workflow_id)).data;
    await staff.ask(ticketActions.retreat, { params: { id }, body: { suggestion: '先不报' } });
    expect((await start(workflow_id)).code).toBe(0);
    return (await office.admin.ask(ticketActions.state, { params: { id }, body: { state_id: 2, suggestion: '要办' } }))
      .code;
  };
  expect(await movedOn('refuse')).toBe(4009);
  expect(await movedOn('ask')).toBe(0);
});

test('what begins by itself passes where the workflow asks, and is refused otherwise without a word about who may see what', async () => {
  const { office, staff } = school;
  const byItself = (workflow_id: number) =>
    office.services.databases.write((tx) =>
      startInName(tx, {
        workflow_id,
        person: staff.userId,
        authors: [],
        fields: invoice,
        suggestion: '',
        now: new Date(),
      }),
    );
  const asked = await flow({ rule: 'ask' });
  await start(asked);
  await expect(byItself(asked)).resolves.toMatchObject({ sn: expect.any(String) });
  const refused = await flow();
  await start(refused);
  await expect(byItself(refused)).rejects.toThrow(
    '30 天内已提交过“发票号码、金额”相同的工单，不能重复提交，如有疑问请联系流程管理员',
  );
});

test('drafts, withdrawn and refused tickets do not count, and each is compared when it is submitted', async () => {
  const { staff, head } = school;
  const workflow_id = await flow();
  const draft = (await start(workflow_id, staff, {}, save)).data.id;
  const first = (await start(workflow_id)).data.id;
  expect((await handle(staff, draft, submit)).code, 'the draft comes second').toBe(4009);
  const retreat = { params: { id: first }, body: { suggestion: '填错了' } };
  expect((await staff.ask(ticketActions.retreat, retreat)).code).toBe(0);
  expect((await handle(staff, draft, submit)).code).toBe(0);
  expect((await handle(staff, first, submit)).code, 'the withdrawn one comes back').toBe(4009);
  // A returned one is still being worked on, and does not stand in its own way.
  expect((await handle(head, draft, refuse)).code).toBe(0);
  expect((await handle(staff, first, submit)).code).toBe(4009);
  expect((await handle(staff, draft, submit)).code).toBe(0);
  expect((await handle(head, draft, agree)).code).toBe(0);
  expect((await start(workflow_id)).code, 'what was approved counts').toBe(4009);
});

test('a ticket whose end was confirmed counts, and one that was closed while its end was to be confirmed does not', async () => {
  const { office, staff, head } = school;
  const definition = withConfirmation(definitionOf({}), asks(head));
  const workflow_id = await addFlow(office, `doubles_${serial}`, definition);
  const again = async (end: (id: number) => Promise<{ data: { act_state: number } }>, number: string) => {
    const { id } = (await start(workflow_id, staff, { number })).data;
    await handle(head, id, agree);
    await staff.get(ticketActions.applyFinish, { params: { id }, body: { suggestion: '已付款' } });
    expect((await start(workflow_id, staff, { number })).code, 'its end is to be confirmed').toBe(4009);
    expect((await end(id)).data.act_state).toBe(5);
    return (await start(workflow_id, staff, { number })).code;
  };
  expect(await again((id) => handle(head, id, confirms), '1')).toBe(4009);
  const close = (id: number) =>
    office.admin.ask(ticketActions.close, { params: { id }, body: { suggestion: '不再需要' } });
  expect(await again(close, '2')).toBe(0);
});

test('of tickets with the same content that are submitted at once exactly one passes', async () => {
  const { staff, colleague, stranger } = school;
  const workflow_id = await flow();
  const answers = await Promise.all([staff, colleague, stranger, staff].map((who) => start(workflow_id, who)));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 4009, 4009, 4009]);
});

test('a search without fields finds no ticket to be the same', () => {
  const doubles = { fields: [], days: 30, own: false, rule: 'refuse' } as const;
  expect(doubledValues(doubles, invoice)).toBeNull();
  expect(doubledValues({ ...doubles, fields: ['number'] }, invoice)).toEqual({ number: '25312000' });
});

test('fields that cannot be compared, or do not exist, keep a workflow from being published', () => {
  const problems = (fields: string[]) =>
    publishProblems(Definition.parse(definitionOf({ fields }))).map(({ msg }) => msg);
  expect(problems(['number', 'gone'])).toEqual(['提交时查重的字段“gone”不存在，请从查重里去掉']);
  const { fields, ...rest } = definitionOf({ fields: ['papers'] });
  const papers = { id: 9, key: 'papers', name: '附件', type: 80 } as const;
  expect(publishProblems(Definition.parse({ ...rest, fields: [...fields, papers] })).map(({ msg }) => msg)).toContain(
    '字段“附件”不能用来查重（附件、明细、多选和系统显示的内容不能比较），请从查重里去掉',
  );
});
