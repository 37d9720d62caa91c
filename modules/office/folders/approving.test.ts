import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { signedFetch } from '#apps/server/testing/crawl.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { delegations } from '#modules/workflow/delegations/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { tokens } from '#modules/platform/tokens/contract.ts';
import { workflowByKey } from '#modules/workflow/workflows/service.ts';
import { folderCategories, folders } from './contract.ts';
import { openPayroll } from './testing/house.ts';

vi.setConfig({ testTimeout: 180_000 });
const {
  office: running,
  dept,
  strict,
  below,
  free,
  author,
  head,
  clerk,
  leader,
  reader,
  write,
  change,
  paper,
  codeOf,
  decide,
  standing,
  approve,
  upload,
} = await openPayroll();
afterAll(() => running.close());

test('a regulation whose category requires approval is in force with the last approval, and only then visible to readers', async () => {
  const id = await write({ must_read: true });
  expect(await standing(id)).toEqual({ status: 0, at: '部门负责人审核', waits: '处长', actions: [] });
  expect(await codeOf(reader, id)).toBe(4004);
  const told = (await head.get(messages.unread)).value.find((one) => one.title.includes('津贴发放办法'));
  expect(told?.web_path).toBe(`/folder/detail/${id}`);
  for (const [who, transition] of [
    [head, 3],
    [clerk, 5],
  ] as const) {
    expect((await paper(who, id)).content).toBe('第一章 总则');
    expect((await decide(who, id, transition)).code).toBe(0);
    expect([(await paper(author, id)).status, await codeOf(reader, id)]).toEqual([0, 4004]);
  }
  expect((await decide(leader, id, 7)).code).toBe(0);
  expect(await paper(reader, id)).toMatchObject({ status: 1, approval: null, to_confirm: true, actions: [] });
  expect((await reader.get(messages.unread)).value.map((one) => one.title)).toContain('必读文件：津贴发放办法');
});

test('a regulation cannot change while it is being approved; returned, it is corrected and resubmitted by its author', async () => {
  const id = await write({ title: '绩效办法' });
  for (const answer of [
    await change(id, { title: '偷改的办法' }),
    await change(id, { status: 1 }),
    await author.ask(folders.removePaper, { params: { id } }),
  ])
    expect([answer.code, answer.msg]).toEqual([4010, '制度文件正在审批，审批结束、退回或撤回后才能修改或提交']);
  expect((await decide(head, id, 4)).code).toBe(0);
  expect(await standing(id)).toMatchObject({ at: '起草', actions: ['update'] });
  expect((await change(id, { title: '绩效分配办法' })).code).toBe(0);
  const ticket = (await paper(author, id)).ticket_id!;
  expect((await author.get(tickets.get, { params: { id: ticket } })).value.title).toBe('绩效分配办法');
  expect((await change(id, { status: 1 })).code).toBe(0);
  expect(await standing(id)).toMatchObject({ status: 0, at: '部门负责人审核' });
  expect((await paper(author, id)).ticket_id).toBe(ticket);
});

test('a returned draft regulation is changed by its submitter, and offered to no other manager', async () => {
  const papers = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
  const other = await running.clerk({ 'folder/papers': [...papers] }, { dept, dataScope: 4 });
  const id = await write({ title: '退回的办法' });
  const offers = async (who: Client) => {
    const row = (await who.get(folders.papers, { query: { managed: true, per_page: 100 } })).value.find(
      (one) => one.id === id,
    );
    return [row!.actions, (await paper(who, id)).actions];
  };
  expect(await offers(other)).toEqual([[], []]);
  await decide(head, id, 4);
  expect(await offers(other)).toEqual([[], []]);
  const said = '制度文件的审批在职员1手中，由其修改或重新提交';
  for (const answer of [
    await change(id, { content: '别人改的' }, other),
    await change(id, { title: '别人改的办法' }, other),
    await change(id, { status: 1 }, other),
    await other.ask(folders.removePaper, { params: { id } }),
  ])
    expect([answer.code, answer.msg.replace(/职员\d+/, '职员1')]).toEqual([4010, said]);
  expect(await offers(author)).toEqual([['update'], ['update']]);
  expect((await change(id, { content: '改好了', status: 1 })).code).toBe(0);
  expect((await standing(id)).at).toBe('部门负责人审核');
});

test('an approved regulation changes only by a revision, including title and attachments', async () => {
  const attached = await upload(author, '附表.txt');
  const id = await write({ title: '补贴办法', attachments: [attached] });
  await approve(id);
  const { version, approved } = await paper(author, id);
  expect(approved).toBe(true);
  const said = '文件经审批发布，标题、正文和附件不能直接修改，请发布修订版，审批通过后生效';
  for (const body of [
    { title: '补助办法' },
    { attachments: [] },
    { attachments: [attached, await upload(author, '新表.txt')] },
  ]) {
    const answer = await change(id, body);
    expect([answer.code, answer.msg], JSON.stringify(body)).toEqual([4010, said]);
  }
  const same = { title: '补贴办法', attachments: [attached], top: true, version };
  expect((await change(id, same)).code).toBe(0);
  const kept = await paper(author, id);
  expect([kept.title, kept.attachments, kept.top]).toEqual(['补贴办法', [attached], true]);
  const before = await write({ title: '先发布的办法', category_id: free });
  expect([(await paper(author, before)).approved, (await change(before, { title: '改名的办法' })).code]).toEqual([
    false,
    0,
  ]);
});

test('publishing by approval raises a regulation’s version and is logged like publishing by hand', async () => {
  const first = await write({ title: '值班办法' });
  const before = (await paper(author, first)).version;
  await approve(first);
  expect((await paper(author, first)).version).toBe(before + 1);
  const second = await write({ title: '值班新办法', replace_id: first });
  const deputy = await running.person({ alias: '代办人', dept });
  const on = (hours: number) => momentText(new Date(Date.now() + hours * 3600_000)).slice(0, 16);
  const stead = { delegate: deputy.username, start: on(-1), end: on(1) };
  const { id: lent } = await leader.get(delegations.create, { body: stead });
  for (const [who, way] of [
    [head, 3],
    [clerk, 5],
    [await running.signIn(deputy), 7],
  ] as const)
    expect((await decide(who, second, way)).code).toBe(0);
  await leader.get(delegations.end, { params: { id: lent! } });
  const { rows } = await running.db.execute<{ title: string; alias: string; diff: object }>(
    sql`select title, alias, diff from log where action = '审批通过' and title like '值班%' order by id`,
  );
  const turn = (id: number, title: string, from: string, to: string) => ({
    type: '制度文件',
    id: String(id),
    title,
    fields: [{ field: '状态', before: from, after: to }],
  });
  expect(rows).toEqual([
    { title: '值班办法', alias: '副校长', diff: [turn(first, '值班办法', '草稿', '现行有效')] },
    {
      title: '值班办法',
      alias: '代办人',
      diff: [turn(first, '值班办法', '现行有效', '已修订'), turn(second, '值班新办法', '草稿', '现行有效')],
    },
  ]);
});

test('a regulation that could not be published cannot be submitted for approval by any route', async () => {
  const id = await write({ title: '空办法', content: '', status: 0 });
  expect((await change(id, { status: 1 })).msg).toBe('没有正文，请填写正文或上传正文文件后再发布');
  await change(id, { content: '第一条' });
  await change(id, { status: 1 });
  await decide(head, id, 4);
  await change(id, { content: '' });
  expect((await decide(author, id, 2)).msg).toBe('没有正文，请填写正文或上传正文文件后再发布');
  expect((await standing(id)).at).toBe('起草');
});

test('a revision of a regulation leaves the old version in force until it is approved', async () => {
  const first = await write({ title: '考勤办法' });
  await approve(first);
  const second = await write({ title: '考勤办法', replace_id: first });
  const both = async () => [(await paper(author, first)).status, (await paper(author, second)).status];
  expect(await both()).toEqual([1, 0]);
  await approve(second);
  expect(await both()).toEqual([2, 1]);
});

test('a regulation cannot avoid its approval by moving to another category', async () => {
  const said = '文件已发布或已提交审批，不能移到发布审批流程不同的分类，请选择流程相同的分类';
  const published = await write({ title: '随意发布的办法', category_id: free });
  expect((await standing(published)).status).toBe(1);
  expect((await change(published, { category_id: below })).msg).toBe(said);
  const returned = await write({ title: '退回的办法' });
  await decide(head, returned, 4);
  expect((await change(returned, { category_id: free, status: 1 })).msg).toBe(said);
  expect((await change(returned, { category_id: strict })).code).toBe(0);
  const approved = await write({ title: '已通过的办法' });
  await approve(approved);
  expect((await change(approved, { category_id: free })).msg).toBe(said);
  const revision = await write({ title: '未经批准的修订', replace_id: approved, category_id: free });
  expect([(await paper(author, approved)).status, (await standing(revision)).at]).toEqual([1, '部门负责人审核']);
});

test('the approval of a regulation in force cannot be undone: it is repealed instead', async () => {
  const id = await write({ title: '生效的办法' });
  await approve(id);
  const params = { id: (await paper(author, id)).ticket_id! };
  expect((await running.admin.get(tickets.transitions, { params })).value).toEqual([]);
  const answer = await running.admin.ask(ticketActions.revoke, { params, body: { suggestion: '发错了' } });
  expect([answer.code, answer.msg]).toEqual([4010, '文件“现行有效”，发布审批不能再改动；不再执行的请在文件页面废止']);
  expect((await paper(reader, id)).status).toBe(1);
});

test('an approver sees a regulation until it is published, and afterwards like everybody else', async () => {
  const id = await write({ title: '只给读者的办法', scope: { users: [reader.userId] } });
  expect((await paper(head, id)).title).toBe('只给读者的办法');
  await approve(id);
  expect([await codeOf(reader, id), await codeOf(head, id), await codeOf(leader, id)]).toEqual([0, 4004, 4004]);
});

test('an application limited to other workflows gets no file of a regulation', async () => {
  const file = await upload(author, '正文.txt');
  await write({ title: '有文件的办法', category_id: free, attachments: [file] });
  const repair = await running.services.databases.write((tx) => workflowByKey(tx, 'it_service'));
  const read = async (more: object) => {
    const body = { app_name: JSON.stringify(more), apis: ['GET /api/file/{id}/'], ...more };
    const app = await running.admin.get(tokens.add, { body });
    return (await signedFetch(running.url, app)(`/api/file/${file}/`)).headers.get('content-type');
  };
  expect(await read({})).toBe('text/plain');
  expect(await read({ workflow_ids: [repair] })).toContain('json');
});

test('a returned draft regulation cannot be deleted by its page or its ticket, which its author may close', async () => {
  const id = await write({ title: '不要了' });
  await decide(head, id, 4);
  const params = { id: (await paper(author, id)).ticket_id! };
  expect((await author.ask(folders.removePaper, { params: { id } })).msg).toBe(
    '制度文件提交过，经办的人还要查阅，不能删除；不再需要的，请关闭它的审批工单',
  );
  expect((await author.ask(tickets.remove, { params })).code).toBe(4010);
  expect((await author.ask(ticketActions.close, { params, body: {} })).code).toBe(0);
  expect((await head.ask(tickets.get, { params })).code).toBe(0);
});

test('a regulation whose approval was closed is submitted anew with a new ticket', async () => {
  const id = await write({ title: '终止的办法' });
  const closed = { id: (await paper(author, id)).ticket_id! };
  const body = { suggestion: '不再制定' };
  expect((await running.admin.ask(ticketActions.close, { params: closed, body })).code).toBe(0);
  expect((await standing(id)).actions).toEqual(['update', 'publish', 'delete']);
  expect((await change(id, { content: '又要制定', status: 1 })).code).toBe(0);
  expect(await standing(id)).toMatchObject({ status: 0, at: '部门负责人审核', actions: [] });
  expect((await paper(author, id)).ticket_id).toBeGreaterThan(closed.id);
  expect((await author.ask(tickets.remove, { params: closed })).code).not.toBe(0);
  await approve(id);
  expect((await standing(id)).status).toBe(1);
  expect((await author.get(tickets.get, { params: closed })).value.act_state_name).toBe('已关闭');
});

test('a category accepts only workflows for regulations, and without one its regulations are published at once', async () => {
  const repair = (await running.services.databases.write((tx) => workflowByKey(tx, 'it_service')))!;
  const answer = await running.admin.ask(folderCategories.add, { body: { name: '误选', workflow_id: repair } });
  expect(answer.msg).toBe('所选流程不存在、未发布，或不是制度发布流程，请重新选择');
  const id = await write({ title: '内部办法', status: 0 });
  expect((await paper(author, id)).needs_approval).toBe(true);
  await running.admin.get(folderCategories.change, { params: { id: strict }, body: { workflow_id: null } });
  expect((await paper(author, id)).needs_approval).toBe(false);
  expect((await change(id, { status: 1 })).code).toBe(0);
  expect((await standing(id)).status).toBe(1);
});
