import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { repairCast, type RepairCast } from './testing/repair.ts';

const [submit, agree, refuse] = [1, 2, 3];
let app: TestOffice;
let cast: RepairCast;
let flow: number;
let picking: number;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  const base = (prefix: string) => ({
    fields: [],
    settings: { title_template: '{workflow}', number_rule: { prefix, digits: 4, period: 'day' as const } },
  });
  const head = [{ type: 5 as const, variable: 'dept_fzr' as const }];
  const start = { id: 1, key: 'start', name: '填写', kind: 'start' as const, order: 1 };
  flow = await addFlow(app, 'refusing', {
    ...base('JJ'),
    name: '申请',
    states: [
      start,
      { id: 2, key: 'head', name: '审批', kind: 'approve', order: 2, participants: head },
      { id: 3, key: 'done', name: '同意了', kind: 'end', order: 3 },
      { id: 4, key: 'refused', name: '不同意', kind: 'end', order: 4 },
    ],
    transitions: [
      { id: submit, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: agree, key: 'agree', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: refuse, key: 'refuse', name: '拒绝', source: 2, destination: 4, attribute: 2 },
    ],
  });
  picking = await addFlow(app, 'picking', {
    ...base('XR'),
    name: '自选',
    states: [
      start,
      { id: 2, key: 'head', name: '审批', kind: 'approve', order: 2, participants: head },
      {
        id: 3,
        key: 'picked',
        name: '会办',
        kind: 'handle',
        order: 3,
        participants: [{ type: 5, variable: 'creator_select' }],
      },
      { id: 4, key: 'done', name: '完成', kind: 'end', order: 4 },
    ],
    transitions: [
      { id: submit, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: agree, key: 'agree', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 4, key: 'finish', name: '完成', source: 3, destination: 4, attribute: 1 },
    ],
  });
}, 180_000);
afterAll(() => app.close());

const begin = (workflow_id: number, more: object = {}) =>
  cast.staff.ask(tickets.start, { body: { workflow_id, transition_id: submit, ...more } });

test('a finally refused application reads 未通过, and its applicant is told once', async () => {
  const { staff, head, does, detail } = cast;
  const { id } = (await begin(flow)).data;
  expect((await does(head, id, refuse, { suggestion: '不合适' })).code).toBe(0);
  expect(await detail(staff, id)).toMatchObject({ act_state_id: 5, act_state_name: '未通过' });
  const { rows } = await app.db.execute<{ title: string }>(sql`
    select m.title from msg m join msg_user u on u.msg_id = m.id
    where m.module = 'tickets' and m.object_id = ${id} and u.user_id = ${staff.userId}`);
  expect(rows).toEqual([{ title: '李四 拒绝，未通过：申请' }]);
  const body = { suggestion: '不办了' };
  expect((await app.admin.ask(ticketActions.close, { params: { id }, body })).msg).toContain('工单未通过，不能再处理');
});

test('an application closed by an intervener still reads 已关闭', async () => {
  const { id } = (await begin(flow)).data;
  const body = { suggestion: '不办了' };
  expect((await app.admin.ask(ticketActions.close, { params: { id }, body })).code).toBe(0);
  expect((await cast.detail(cast.staff, id)).act_state_name).toBe('已关闭');
});

test('people whom only the applicant can name are required at submission, however far away their state is', async () => {
  const { code, data } = await begin(picking);
  expect([code, data]).toEqual([4000, { errors: [{ field: 'choose', label: '会办', msg: '请选择“会办”由谁办理' }] }]);
  expect((await begin(picking, { choose: { 3: [cast.helper.username] } })).code).toBe(0);
});

test('submitting answers with the ticket’s number, and a comment with files that are not the writer’s is refused', async () => {
  const { data, msg } = await begin(flow);
  expect(msg).toBe(`已提交，流水号 ${data.sn}`);
  const params = { id: data.id };
  const comment = (files: number[]) =>
    cast.staff.ask(ticketActions.comment, { params, body: { suggestion: '补充说明', files } });
  expect((await comment([1])).data).toMatchObject({
    errors: [{ field: 'files', label: '附件' }],
  });
  expect((await comment([])).code).toBe(0);
});

test('moving a ticket to a state that its workflow does not have is refused with the state’s number', async () => {
  const { id } = (await begin(flow)).data;
  const body = { state_id: 99, suggestion: '调整' };
  expect((await app.admin.ask(ticketActions.state, { params: { id }, body })).msg).toContain(
    '流程“申请”里没有编号为 99 的环节',
  );
});
