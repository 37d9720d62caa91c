import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { opinionsOnPaper } from './read/opinions.ts';
import { logOf } from './records/approval.ts';
import { verifyTicketLogs } from './store/chain.ts';
import { agree, approvalOf, asks, standsInFor, submit } from './testing/approvals.ts';
import { addFlow } from './testing/flow.ts';
import { repairCast, type RepairCast } from './testing/repair.ts';
import { ticketViewerFor } from './visibility/viewer.ts';

let app: TestOffice;
let cast: RepairCast;
let workflow_id: number;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  const { fields, states, ...rest } = approvalOf('意见附件', { ...asks(cast.head), actions: ['return', 'add_node'] });
  workflow_id = await addFlow(app, 'opinions', {
    ...rest,
    fields: [
      ...fields,
      { id: 3, key: 'papers', name: '材料', type: fieldType.file },
      { id: 4, key: 'said', name: '审批意见', type: fieldType.opinions },
    ],
    states: states.map((state) => ({
      ...state,
      access: { ...state.access, papers: fieldAccess.optional, said: fieldAccess.read },
    })),
  });
}, 180_000);
afterAll(() => app.close());

const sends = async (who: Client, name = '测算.txt'): Promise<FileCard> => {
  const body = new FormData();
  body.set('module', 'tickets');
  body.set('file', new Blob([new TextEncoder().encode(`${name} 的内容`)]), name);
  const response = await who.fetch('/api/file/upload/', { method: 'POST', body });
  return ((await response.json()) as { data: FileCard }).data;
};
const begun = async (more: object = {}) =>
  (
    await cast.staff.get(tickets.start, {
      body: { workflow_id, transition_id: submit, title: '采购', ...more } as never,
    })
  ).id;
const does = (id: number, more: object) =>
  cast.head.ask(tickets.handle, {
    params: { id },
    body: { transition_id: agree, suggestion: '见附件', ...more } as never,
  });
const logs = async (who: Client, id: number) => (await who.get(tickets.flowlogs, { params: { id } })).value;
const reads = async (who: Client, file: number) => {
  const text = await (await who.fetch(`/api/file/${file}/`)).text();
  return text.endsWith('的内容');
};
const heard = async (who: Client, id: number) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value
    .filter((one) => one.web_path === `/ticket/detail/${id}`)
    .map((one) => one.title);

test('an opinion’s files stand beside its words in the log, and are opened by whoever sees the ticket and nobody else', async () => {
  const id = await begun();
  const [first, second] = [await sends(cast.head), await sends(cast.head, '比价.txt')];
  expect((await does(id, { suggestion_files: [first.id, second.id] })).code).toBe(0);
  const said = (await logs(cast.staff, id)).find((log) => log.suggestion === '见附件')!;
  expect(said.files.map(({ name }) => name)).toEqual(['测算.txt', '比价.txt']);
  expect([await reads(cast.staff, first.id), await reads(cast.head, second.id)]).toEqual([true, true]);
  expect(await reads(cast.stranger, first.id)).toBe(false);
  const { broken } = await app.services.databases.write((tx) => verifyTicketLogs(tx));
  expect(broken).toBeNull();
});

test('an opinion’s files stand in the form’s field of opinions and on printed sheets, by their names', async () => {
  const id = await begun();
  const [first, second] = [await sends(cast.head), await sends(cast.head, '比价.txt')];
  await does(id, { suggestion_files: [first.id, second.id] });
  const { field_list } = await cast.detail(cast.staff, id);
  const [opinion] = field_list.find((field) => field.field_key === 'said')!.field_opinions!;
  expect(opinion!.files.map(({ name }) => name)).toEqual(['测算.txt', '比价.txt']);
  const printed = await app.services.databases.write((tx) => opinionsOnPaper(tx, app.services.fileStore, id));
  expect(printed.at(-1)!.words).toBe('见附件\n附件：测算.txt、比价.txt');
});

test('people who see a record and not its ticket read its log without the files', async () => {
  const id = await begun();
  await does(id, { suggestion_files: [(await sends(cast.head)).id] });
  const filesFor = (who: Client) =>
    app.services.databases.write(async (tx) => {
      const viewer = await ticketViewerFor(tx, viewerOf((await personWithRights(tx, who.userId))!, 0), undefined);
      const { value } = await logOf(tx, id, { page: 1, per_page: 50 }, viewer);
      return value.flatMap(({ files }) => files.map(({ name }) => name));
    });
  expect(await filesFor(cast.staff)).toEqual(['测算.txt']);
  expect(await filesFor(cast.stranger)).toEqual([]);
});

test('what is saved is no opinion yet: it mentions nobody and has no files', async () => {
  const id = await begun({ transition_id: 1 });
  const saves = (more: object) =>
    cast.staff.ask(tickets.handle, { params: { id }, body: { transition_id: 1, suggestion: '', ...more } as never });
  expect((await saves({ suggestion_mentions: [cast.stranger.username] })).msg).toBe(
    '提到的人：保存时不通知任何人，请在提交或办理时再提到同事',
  );
  expect((await saves({ suggestion_files: [(await sends(cast.staff)).id] })).msg).toBe(
    '附件：保存时还没有意见，请在提交或办理时再添加意见的附件',
  );
  expect((await saves({})).code).toBe(0);
  expect((await cast.stranger.ask(tickets.get, { params: { id } })).code).toBe(4004);
});

test('people whom a delegate mentions see that the delegate did', async () => {
  const id = await begun();
  await standsInFor(cast, cast.head, cast.second);
  const body = { transition_id: agree, suggestion: '请知悉', suggestion_mentions: [cast.stranger.username] };
  expect((await cast.second.ask(tickets.handle, { params: { id }, body: body as never })).code).toBe(0);
  const { copies } = await cast.detail(cast.staff, id);
  expect(copies.map(({ user, from }) => [user.alias, from?.alias])).toEqual([['外人', '周九']]);
});

test('files of an opinion are sealed with the log: exchanged or removed ones are found', async () => {
  const id = await begun();
  const [given, other] = [await sends(cast.head), await sends(cast.head, '别的.txt')];
  expect((await does(id, { suggestion_files: [given.id] })).code).toBe(0);
  const change = (to: number) => sql`update ticket_log_file set file_id = ${to} where file_id = ${given.id}`;
  const exchanged = `update ticket_log_file set file_id = ${other.id} where file_id = ${given.id}`;
  await expect(app.services.databases.pool.query(exchanged)).rejects.toThrow('append-only');
  const found = await app.services.databases.write(async (tx) => {
    await tx.execute(sql`alter table ticket_log_file disable trigger user`);
    await tx.execute(change(other.id));
    const { broken } = await verifyTicketLogs(tx);
    await tx.execute(sql`update ticket_log_file set file_id = ${given.id} where file_id = ${other.id}`);
    await tx.execute(sql`alter table ticket_log_file enable trigger user`);
    return broken;
  });
  expect(found?.ticket_id).toBe(id);
});

test('only the giver’s own fresh uploads may be attached, each in one place', async () => {
  const paper = await sends(cast.staff, '材料.txt');
  const id = await begun({ papers: [paper.id] });
  const refused = async (files: number[], more: object = {}) =>
    (await does(id, { suggestion_files: files, ...more })).msg;
  const [own, foreign] = [await sends(cast.head), await sends(cast.staff)];
  expect(await refused([paper.id])).toBe('附件：同一个附件只能放在一处，请重新上传');
  expect(await refused([own.id, own.id])).toBe('附件：同一个附件只能放在一处，请重新上传');
  expect(await refused([foreign.id])).toMatch(/^附件：/);
  expect(await refused([own.id], { papers: [paper.id, own.id] })).toBe('材料：同一个附件只能放在一处，请重新上传');
  expect((await logs(cast.staff, id)).flatMap((log) => log.files)).toEqual([]);
  const comment = (files: number[]) =>
    cast.staff.ask(ticketActions.comment, { params: { id }, body: { suggestion: '补一份', files } });
  expect((await comment([foreign.id])).code).toBe(0);
  expect((await comment([foreign.id])).msg).toBe('附件：同一个附件只能放在一处，请重新上传');
});

test('people mentioned in an opinion are told, and may view the ticket from then on', async () => {
  const { stranger, helper, head } = cast;
  const id = await begun();
  expect((await stranger.ask(tickets.get, { params: { id } })).code).toBe(4004);
  const unknown = await does(id, { suggestion_mentions: ['nobody-at-all'] });
  expect(unknown.msg).toMatch(/用户“nobody-at-all”不存在或已停用/);
  expect(unknown.data).toMatchObject({ errors: [{ field: 'suggestion_mentions' }] });
  expect((await does(id, { suggestion: '@外人 请知悉', suggestion_mentions: [stranger.username] })).code).toBe(0);
  expect(await heard(stranger, id)).toEqual(['李四 提到您：采购']);
  expect((await stranger.get(tickets.get, { params: { id } })).value.act_state_id).toBe(4);
  const other = await begun();
  const back = { state_id: 1, suggestion: '@孙八 请帮忙看看', mentions: [helper.username] };
  expect((await head.ask(ticketActions.giveBack, { params: { id: other }, body: back })).code).toBe(0);
  expect(await heard(helper, other)).toEqual(['李四 提到您：采购']);
});

test('returns, comments and answers of added signers carry files', async () => {
  const { head, second } = cast;
  const id = await begun();
  const files = async (who: Client) => [(await sends(who)).id];
  const added = { target_username: second.username, suggestion: '请核' };
  expect((await head.ask(ticketActions.addNode, { params: { id }, body: added })).code).toBe(0);
  const answer = { suggestion: '已核', files: await files(second) };
  expect((await second.ask(ticketActions.addNodeEnd, { params: { id }, body: answer })).code).toBe(0);
  const comment = { suggestion: '说明', files: await files(head) };
  expect((await head.ask(ticketActions.comment, { params: { id }, body: comment })).code).toBe(0);
  const back = { state_id: 1, suggestion: '请补', files: await files(head) };
  expect((await head.ask(ticketActions.giveBack, { params: { id }, body: back })).code).toBe(0);
  const having = (await logs(cast.staff, id)).filter((log) => log.files.length > 0).map(({ action }) => action);
  expect(having).toEqual(['add_node_end', 'comment', 'return']);
});
