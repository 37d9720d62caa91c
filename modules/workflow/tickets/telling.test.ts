import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { addFlow } from './testing/flow.ts';

const form = { category: 'network', place: '一号楼 301', urgency: 'urgent', description: '洗手池', amount: 300 };
const [submit, headAgrees, headRefuses] = [2, 3, 4];

let app: TestOffice;
let repair: number;
let staff: Client;
let head: Client;
let workers: Client[];
beforeAll(async () => {
  const school = await openSchool();
  ({ office: app, staff, head } = school);
  workers = [school.worker, await school.hire('钱七', { roles: ['order_handler'] })];
  repair = await school.flowOf('it_service');
});
afterAll(() => app.close());

const begin = async (title: string) =>
  (await staff.get(tickets.start, { body: { workflow_id: repair, transition_id: submit, title, ...form } })).id;
const does = (who: Client, id: number, transition_id: number) =>
  who.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '请看一下' } });
const heard = async (who: Client, about: string) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value
    .filter((one) => one.title.includes(about))
    .map((one) => one.title);

test('the next handler is notified in the workflow’s words with a link, and the notice goes away once they have acted', async () => {
  const id = await begin('教学楼漏水');
  expect(await heard(head, '教学楼漏水')).toEqual(['待办：教学楼漏水']);
  expect(await heard(staff, '教学楼漏水')).toEqual([]);
  const [row] = (await head.get(messages.unread)).value;
  expect([row!.type, row!.web_path]).toEqual([2, `/ticket/detail/${id}`]);
  const { rows } = await app.db.$client.query<{ content: string }>(
    `select content from msg where module = 'tickets' and object_id = $1 order by id`,
    [id],
  );
  expect(rows[0]!.content.split('\n').slice(1), 'in the words of the workflow').toEqual([
    '信息化服务：教学楼漏水，地点：一号楼 301',
  ]);
  await does(head, id, headAgrees);
  expect(await heard(head, '教学楼漏水')).toEqual([]);
  for (const worker of workers) expect(await heard(worker, '教学楼漏水')).toEqual(['待办：教学楼漏水']);
  await workers[0]!.get(tickets.accept, { params: { id }, body: {} });
  expect(await heard(workers[0]!, '教学楼漏水')).toHaveLength(1);
  expect(await heard(workers[1]!, '教学楼漏水')).toEqual([]);
});

test('the creator is told who refused, and nobody else is told of a refusal', async () => {
  const id = await begin('路灯不亮');
  await does(head, id, headRefuses);
  expect(await heard(staff, '路灯不亮')).toEqual(['李四 退回了：路灯不亮']);
  expect(await heard(head, '路灯不亮')).toEqual([]);
});

test('of several simultaneous decisions one counts, and each next handler is told once', async () => {
  const id = await begin('门锁坏了');
  const asked = { params: { id }, body: { transition_id: headAgrees, suggestion: '同意' } };
  const codes = await Promise.all(Array.from({ length: 4 }, async () => (await head.ask(tickets.handle, asked)).code));
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  for (const worker of workers) expect(await heard(worker, '门锁坏了')).toEqual(['待办：门锁坏了']);
});

test('a person mentioned in a comment is notified', async () => {
  const id = await begin('窗户关不上');
  const { username } = await app.person({ alias: '周八' });
  const named = await app.signIn(username);
  await head.get(ticketActions.comment, {
    params: { id },
    body: { suggestion: '请帮忙看看', mentions: [username] } as never,
  });
  expect(await heard(named, '窗户关不上')).toEqual(['李四 提到您：窗户关不上']);
});

test('people in a form appear by name in titles and messages, also after they have left', async () => {
  const who = fieldAccess.required;
  const flow = await addFlow(app, 'deputy', {
    name: '代班申请',
    fields: [
      { id: 1, key: 'deputy', name: '代班人', type: fieldType.user },
      { id: 2, key: 'friends', name: '同行人', type: fieldType.users },
    ],
    settings: {
      title_template: '{creator} 请 {deputy} 代班',
      content_template: '{deputy} 代班，{friends} 同行',
      display_form: ['deputy', 'friends'],
      number_rule: { prefix: 'DB', digits: 4, period: 'day' },
    },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { deputy: who, friends: who } },
      { id: 2, key: 'head', name: '审批', kind: 'approve', order: 2, participants: [{ type: 1, user: head.userId }] },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 3, key: 'agree', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 4, key: 'refuse', name: '拒绝', source: 2, destination: 1, attribute: 2, field_require_check: false },
    ],
  });
  const [deputy, friend] = [await app.person({ alias: '代小班' }), await app.person({ alias: '同小行' })];
  const { id } = await staff.get(tickets.start, {
    body: {
      workflow_id: flow,
      transition_id: 2,
      ...({ deputy: deputy.username, friends: [friend.username, deputy.username] } as object),
    },
  });
  expect(await heard(head, '代班')).toEqual(['待办：张三 请 代小班 代班']);
  const { rows } = await app.db.$client.query<{ content: string }>(
    `select content from msg where module = 'tickets' and object_id = $1`,
    [id],
  );
  expect(rows[0]!.content.split('\n').slice(1)).toEqual(['代小班 代班，同小行、代小班 同行']);
  await does(head, id, 4);
  await app.services.databases.pool.query('update app_user set is_active = false where id = $1', [deputy.id]);
  await staff.get(tickets.handle, { params: { id }, body: { transition_id: 2 } });
  expect((await staff.get(tickets.get, { params: { id } })).value.title).toBe('张三 请 代小班 代班');
});
