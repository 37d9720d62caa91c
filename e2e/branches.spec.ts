import { expect, type Page } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

const names = ['qin.haoyu', 'he.jing', 'song.mingjie', 'jia.shunli', 'liu.hanlin'] as const;
type Name = (typeof names)[number];
const callers = new Map<Name, Caller>();
let origin: string | undefined;
let flow: number;
const ask = (name: Name): Caller => callers.get(name)!;

/** Publishes a flow with a first handler, two parallel ones, and a fourth who approves. */
async function publishFlow(): Promise<number> {
  const idOf = async (name: Name) => (await ask(name).ask('GET', '/api/accounts/info/')).data.id as number;
  const asks = async (id: number, key: string, name: string, who: Name, more: object = {}) => ({
    id,
    key,
    name,
    kind: 'approve',
    order: id,
    participants: [{ type: 1, user: await idOf(who) }],
    actions: ['return', 'retreat'],
    ...more,
  });
  const way = (id: number, source: number, destination: number, name: string, attribute = 1) => ({
    id,
    key: `way_${id}`,
    name,
    source,
    destination,
    attribute,
  });
  const definition = {
    name: `并行审核${crypto.randomUUID().slice(0, 8)}`,
    fields: [],
    settings: { title_template: '{workflow}', number_rule: { prefix: 'BXSH', digits: 4, period: 'day' } },
    states: [
      { id: 1, key: 'start', name: '发起', kind: 'start', order: 1 },
      await asks(2, 'check', '初核', 'he.jing'),
      { id: 3, key: 'split', name: '同时', kind: 'parallel_split', order: 3 },
      await asks(4, 'law', '法律审核', 'song.mingjie', { keep_unchanged: true }),
      await asks(5, 'money', '财务审核', 'jia.shunli'),
      { id: 6, key: 'join', name: '汇合', kind: 'join', order: 6 },
      await asks(7, 'chief', '分管审批', 'liu.hanlin'),
      { id: 8, key: 'end', name: '办结', kind: 'end', order: 8 },
    ],
    transitions: [
      way(1, 1, 2, '提交'),
      way(2, 2, 3, '同意'),
      way(3, 3, 4, '进入', 3),
      way(4, 3, 5, '进入', 3),
      way(5, 4, 6, '同意'),
      way(6, 5, 6, '同意'),
      way(7, 6, 7, '继续', 3),
      way(8, 7, 8, '同意'),
    ],
  };
  const admin = await caller(origin, 'admin');
  const made = await admin.ask('POST', '/api/workflows/', { name: definition.name, definition });
  expect(made).toMatchObject({ code: 0 });
  expect(await admin.ask('POST', `/api/workflows/${made.data.id}/publish/`, {})).toMatchObject({ code: 0 });
  return made.data.id as number;
}

test.beforeAll(async ({ browserName: _browser }, info) => {
  origin = info.project.use.baseURL;
  for (const name of names) callers.set(name, await caller(origin, name));
  flow = await publishFlow();
});

const log = (page: Page) => page.getByRole('region', { name: '流转记录' });
const head = (page: Page) => page.locator('.kit-detail-head');
const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const agree = async (name: Name, id: number, transition_id: number) =>
  expect(
    await ask(name).ask('PATCH', `/api/tickets/${id}/`, { transition_id, suggestion: '同意' }),
    `${name} ${transition_id}`,
  ).toMatchObject({ code: 0 });
const begin = async (): Promise<number> => {
  const begun = await ask('qin.haoyu').ask('POST', '/api/tickets/', { workflow_id: flow, transition_id: 1 });
  expect(begun).toMatchObject({ code: 0 });
  await agree('he.jing', begun.data.id, 2);
  return begun.data.id as number;
};
const open = async (page: Page, id: number) => {
  await page.goto(`/ticket/detail/${id}`);
  await expect(head(page)).toContainText('并行审核');
};
/** True if a ticket waits for this person. */
const waits = async (name: Name, id: number) =>
  (await ask(name).ask('GET', `/api/tickets/?category=duty&ticket_ids=${id}`)).data.total as number;

/** Returns an open ticket to one state, with a reason; `where` is the field in which the state is chosen. */
async function giveBack(page: Page, where: string, to: string, reason: string): Promise<void> {
  await action(page, '退回').click();
  const drawer = page.getByRole('dialog', { name: '退回', exact: true });
  await drawer.getByLabel(where, { exact: true }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: to }).filter({ visible: true }).click();
  await drawer.getByLabel('退回原因').fill(reason);
  await drawer.getByRole('button', { name: '退回', exact: true }).click();
  await expect(drawer).toHaveCount(0);
}

test('a return from behind a join into one branch has that branch decided again, and the other decision stands', async ({
  browser,
}) => {
  const id = await begin();
  await agree('song.mingjie', id, 5);
  await agree('jia.shunli', id, 6);
  const liu = await enter(browser, origin, ask('liu.hanlin').token);
  await open(liu, id);
  await expect(log(liu)).toContainText('等待 刘翰林');
  await giveBack(liu, '或同时退回到几个分支', '财务审核', '请核对金额');
  await expect(log(liu)).toContainText('等待 贾顺利');
  expect([await waits('song.mingjie', id), await waits('jia.shunli', id)]).toEqual([0, 1]);

  const jia = await enter(browser, origin, ask('jia.shunli').token);
  await open(jia, id);
  await expect(log(jia)).toContainText('请核对金额');
  // The entry of a move made by another person names the new handler; one's own entry begins with one's name.
  const saidByLaw = log(jia)
    .getByRole('listitem')
    .filter({ has: jia.locator('strong').getByText('宋明杰', { exact: true }) });
  await expect(saidByLaw).toHaveCount(1);
  await expect(saidByLaw).toContainText(/同意\s*法律审核/);
  await action(jia, '同意').click();
  await expect(log(jia)).toContainText('等待 刘翰林');
  await expect(saidByLaw).toHaveCount(1);
  expect(await waits('song.mingjie', id)).toBe(0);

  await open(liu, id);
  await action(liu, '同意').click();
  await expect(head(liu)).toContainText('已通过');
});

test('a return from a branch to before the split ends all branches, and an unaffected earlier approver is not asked again', async ({
  browser,
}) => {
  const id = await begin();
  await agree('song.mingjie', id, 5);
  const jia = await enter(browser, origin, ask('jia.shunli').token);
  await open(jia, id);
  await expect(log(jia)).toContainText('等待 贾顺利');
  await giveBack(jia, '退回到', '初核', '请先核对附件');
  await expect(log(jia)).toContainText('等待 何静');
  expect(await waits('jia.shunli', id)).toBe(0);

  const he = await enter(browser, origin, ask('he.jing').token);
  await open(he, id);
  await expect(log(he)).toContainText('请先核对附件');
  await action(he, '同意').click();
  await expect(log(he)).toContainText('等待 贾顺利');
  await expect(log(he)).not.toContainText('等待 宋明杰');
  await expect(log(he)).toContainText('看到的内容没有变化，沿用原来的意见');
  expect([await waits('song.mingjie', id), await waits('jia.shunli', id)]).toEqual([0, 1]);

  await open(jia, id);
  await action(jia, '同意').click();
  await expect(log(jia)).toContainText('等待 刘翰林');
});
