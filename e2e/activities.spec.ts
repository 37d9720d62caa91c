import { expect, type Page } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

const day = 86_400_000;
const dayAfter = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * day).toISOString().slice(0, 10);
const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head').filter({ visible: true });

async function choose(page: Page, label: string, option: string, typed = false): Promise<void> {
  const select = page.getByLabel(label, { exact: true });
  await select.click();
  if (typed) await select.fill(option);
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** Approves an activity's ticket by calls as one person, because other tests cover the page. */
async function agrees(origin: string | undefined, who: string, address: string): Promise<void> {
  const me = await caller(origin, who);
  const { value: row } = (await me.ask('GET', `/api/activity/${address.split('/').at(-1)}/`)).data;
  const ticket = row.change?.ticket_id ?? row.ticket_id;
  const { transitions } = (await me.ask('GET', `/api/tickets/${ticket}/`)).data.value;
  const way = transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
  const said = await me.ask('PATCH', `/api/tickets/${ticket}/`, {
    transition_id: way.transition_id,
    suggestion: '同意',
  });
  expect(said, said.msg).toMatchObject({ code: 0 });
}

/** A hall whose keepers approve its events, open at any hour. */
async function newHall(origin: string | undefined): Promise<string> {
  const admin = await caller(origin, 'admin');
  const keeper = (await (await caller(origin, 'song.mingjie')).ask('GET', '/api/accounts/info/')).data.id;
  const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
  const name = `礼堂${Date.now() % 1e6}`;
  const office = { name, managers: [keeper], open_hours, need_approve: true, step_min: 5, max_ahead_days: 60 };
  const made = await admin.ask('POST', '/api/meet/office/', office);
  expect(made, made.msg).toMatchObject({ code: 0 });
  const room = { name, office_id: made.data.id, capacity: 600 };
  expect(await admin.ask('POST', '/api/meet/room/', room)).toMatchObject({ code: 0 });
  return name;
}

test('a large lecture with foreign guests shows its reviewers while it is filled in, is approved by six, changed, and listed on the board', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const title = `就业形势大讲堂${test.info().retry}`;
  const date = dayAfter(25);

  const hall = await newHall(baseURL);

  await turn('su.jianing');
  await page.goto('/activity/declare');
  // The applicant is the undertaker, for their department.
  await expect(page.getByLabel('联系电话')).not.toHaveValue('');
  await expect(page.getByRole('button', { name: '保存草稿' })).toBeVisible();
  await expect(page.locator('form').getByRole('heading', { level: 2 })).toHaveText([
    '基本',
    '时间地点',
    '人员',
    '经费与需求',
    '安全',
    '宣传与附件',
  ]);
  await page.getByLabel('活动名称').fill('只有名称');
  await page.getByRole('button', { name: '提交申报' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '内容与议程' }).first()).toBeVisible();
  await page.getByLabel('活动名称').fill(title);
  await choose(page, '活动类型', '学术讲座');
  await page.getByLabel('内容与议程').fill('主题报告与交流');
  await page.getByLabel('联系电话').fill('8051');
  await page.getByLabel('开始时间').fill(`${date}T14:00`);
  await page.getByLabel('结束时间').fill(`${date}T16:00`);
  await choose(page, '会议室', hall, true);
  await page.getByLabel('地点').fill('南区礼堂');
  await page.getByLabel('有境外人员').click();
  await page.getByLabel('校外人数').fill('0');
  const preview = page.getByRole('region', { name: '审批预览' });
  await expect(preview).toContainText('学术讲座须宣传部门审核');
  await expect(preview).not.toContainText('保卫部门');
  await page.getByLabel('校内人数').fill('500');
  await expect(preview).toContainText('校内 500 人超过 200 人，须保卫部门审核');
  await expect(preview.locator('.ant-steps-item-title')).toHaveText([
    '部门负责人审核',
    '宣传部门审核',
    '国际交流部门审核',
    '保卫部门审核',
    '场地审核',
    '分管领导审批',
  ]);
  const plan = { name: '安全预案.txt', mimeType: 'text/plain', buffer: Buffer.from('疏散路线与值守分工') };
  await page.getByLabel('选择安全预案').setInputFiles(plan);
  await expect(page.getByRole('link', { name: '安全预案.txt' })).toBeVisible();
  await choose(page, '安全负责人', '魏奕辰', true);
  await page.getByLabel('安全负责人电话').fill('8052');
  await expect(preview).not.toContainText('还差');
  await page.getByRole('button', { name: '提交申报' }).click();
  await expect(page).toHaveURL(/\/activity\/detail\/\d+/);
  const address = new URL(page.url()).pathname;

  for (const [who, step, before] of [
    ['yang.haitao', '部门负责人审核', []],
    ['song.mingjie', '场地审核', ['sun.jiahui', 'zeng.siyuan', 'cheng.lu']],
    ['liu.hanlin', '分管领导审批', []],
  ] as const) {
    for (const one of before) await agrees(baseURL, one, address);
    await turn(who);
    await page.goto(address);
    await expect(head(page)).toContainText(step);
    await action(page, '同意').click();
    await expect(action(page, '同意')).toHaveCount(0);
  }
  await expect(head(page)).toContainText('还有 25 天');
  const wide = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address);
  await expect(page.getByRole('region', { name: '审核依据' })).toContainText('场地审核');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize(wide);

  await turn('su.jianing');
  await page.goto(address);
  await action(page, '申请变更').click();
  await page.getByLabel('结束时间').fill(`${date}T17:00`);
  await page.getByLabel('变更原因').fill('增加答疑');
  await page.getByRole('button', { name: '提交变更' }).click();
  await expect(page.getByRole('region', { name: '变更' })).toContainText('17:00');
  await turn('yang.haitao');
  await page.goto('/activity/list');
  await expect(page.getByRole('button', { name: /^待办/, pressed: true })).toBeVisible();
  await page.getByRole('link', { name: title }).click();
  await action(page, '同意').click();
  await expect(action(page, '同意')).toHaveCount(0);
  for (const who of ['sun.jiahui', 'zeng.siyuan', 'cheng.lu', 'song.mingjie', 'liu.hanlin'])
    await agrees(baseURL, who, address);
  await page.goto(address);
  await expect(page.getByRole('region', { name: '活动', exact: true })).toContainText(`${date} 17:00`);

  await turn('admin');
  await page.goto('/activity/data');
  const board = page.getByRole('region', { name: '活动日历' });
  if (date.slice(0, 7) !== dayAfter(0).slice(0, 7)) await board.getByRole('button', { name: '下一页' }).click();
  await board.getByText(`${title} · 学术讲座 · 南区礼堂`).click();
  await expect(page).toHaveURL(new RegExp(`${address}$`));
});

test('a finished activity is summed up by its organiser with the number of participants', async ({ page, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  const { value } = (await admin.ask('GET', '/api/activity/?category=all&per_page=100')).data;
  const [over] = value.filter((one: { activity_status: number }) => one.activity_status === 2);
  const { undertaker_info: who } = (await admin.ask('GET', `/api/activity/${over.id}/`)).data.value;
  await turnsAt(page, baseURL)(who.username);
  await page.goto(`/activity/detail/${over.id}`);
  await action(page, '提交总结').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('总结', { exact: true }).fill('按计划举行，秩序良好。');
  await drawer.getByLabel('实到校内人数').fill('120');
  await drawer.getByLabel('实到校外人数').fill('0');
  await drawer.getByLabel('没有照片').click();
  await drawer.getByRole('button', { name: '提交总结' }).click();
  await expect(page.getByRole('region', { name: '总结' })).toContainText('实到校内 120 人');
  await expect(action(page, '提交总结')).toHaveCount(0);
});

test('a door screen shows strangers its room’s day, keeps it offline with a note, and goes dark when its address is revoked', async ({
  page,
  browser,
  baseURL,
}) => {
  await turnsAt(page, baseURL)('admin');
  await page.goto('/meet/room');
  const row = page.getByRole('row').filter({ hasText: '研讨室 302' });
  await row.getByRole('button', { name: '停用与门牌' }).click();
  const panel = page.getByRole('region', { name: '门牌屏' });
  await panel.getByRole('button', { name: /生成地址|更换地址/ }).click();
  const address = await panel.getByLabel('门牌屏地址').inputValue();
  const screen = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await screen.goto(new URL(new URL(address).pathname, baseURL).href);
  await expect(screen.getByRole('heading', { name: '研讨室 302' })).toBeVisible();
  await expect(screen.getByText(/^更新于 /)).toBeVisible();
  await screen.context().setOffline(true);
  await expect(screen.getByText(/^离线，更新于 \d\d:\d\d$/)).toBeVisible();
  await expect(screen.getByRole('heading', { name: '研讨室 302' })).toBeVisible();
  await screen.context().setOffline(false);
  await expect(screen.getByText(/^更新于 /)).toBeVisible();
  await panel.getByRole('button', { name: '停用地址' }).click();
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /停用地址|确 ?定/ })
    .click();
  await expect(page.getByText('门牌屏地址已失效')).toBeVisible();
  // The screen notices by itself, at its next refresh.
  await expect(screen.getByText('门牌屏地址已失效')).toBeVisible({ timeout: 60_000 });
  await expect(screen.getByRole('heading', { name: '研讨室 302' })).toHaveCount(0);
});
