import { expect, type Locator, type Page, type Response } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head').filter({ visible: true });
const isDecision = (answer: Response) =>
  answer.request().method() === 'PATCH' && /\/api\/tickets\/\d+\/$/.test(new URL(answer.url()).pathname);
const stages = (page: Page) => page.getByRole('region', { name: '阶段' });
const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
const scan = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) });

/** Chooses an option of a select by its label. */
async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click();
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** Approves the application that was just sent, seals it at the keeper's desk, and lets a second person confirm it. */
async function sealed(origin: string | undefined, id: number): Promise<void> {
  const admin = await caller(origin, 'admin');
  const application = async () => (await admin.ask('GET', `/api/stamp/application/${id}/`)).data.value;
  for (let row = await application(); row.act_state === 1; row = await application()) {
    const who = await caller(origin, String(row.participant_info.participant).split(',')[0]!);
    const { transitions } = (await who.ask('GET', `/api/tickets/${row.ticket_id}/`)).data.value;
    const way = transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
    const said = { transition_id: way.transition_id, suggestion: '同意' };
    expect(await who.ask('PATCH', `/api/tickets/${row.ticket_id}/`, said)).toMatchObject({ code: 0 });
  }
  const keeper = await caller(origin, 'shen.lijuan');
  const form = new FormData();
  form.set('module', 'stamp_pictures');
  form.set('file', new Blob([dot]), '用印.png');
  const headers = { authorization: `JWT ${keeper.token}` };
  const sent = await fetch(new URL('/api/file/upload/', origin), { method: 'POST', headers, body: form });
  const picture = ((await sent.json()) as { data: { id: number } }).data.id;
  const [line] = (await application()).lines as { stamp_id: number }[];
  const put = { stamp_ids: [line!.stamp_id], kind: 'seal', pictures: [picture], remark: '合同用印' };
  const done = await keeper.ask('PATCH', `/api/stamp/application/${id}/upload_pic/`, put);
  expect(done.code, done.msg).toBe(0);
  const watcher = await caller(origin, 'ding.aiguo');
  const seen = await watcher.ask('POST', `/api/stamp/application/${id}/confirm/`, { password: 'Gongdan@2026' });
  expect(seen.code, seen.msg).toBe(0);
}

test('a contract goes from its template to the archive through eight people, with a return, a lawyer, a seal and two payments', async ({
  page,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const turn = turnsAt(page, baseURL);
  const name = '教学仪器采购合同（年度）';

  await turn('qin.haoyu');
  await page.goto('/contract/list?new=1');
  await page.getByLabel('合同名称', { exact: true }).fill(name);
  await page.getByRole('button', { name: '保存草稿' }).click();
  await expect(head(page)).toContainText('草稿');
  const address = new URL(page.url()).pathname;
  await page.getByRole('button', { name: '编辑合同' }).click();
  await page.getByLabel('合同类别', { exact: true }).click();
  await page.getByRole('tree').getByTitle('采购', { exact: true }).click();
  await page.getByLabel('我方', { exact: true }).fill('示范大学');
  await page.getByLabel('相对方名称', { exact: true }).fill('精仪教学设备有限公司');
  await page.getByLabel('合同金额', { exact: true }).fill('600000');
  await page.getByLabel('开始日期', { exact: true }).fill(day(0));
  await page.getByLabel('结束日期', { exact: true }).fill(day(300));
  await page.getByText('示范文本', { exact: true }).click();
  await choose(page, page.getByLabel('合同模板', { exact: true }), '采购合同示范文本');
  for (const [label, words] of [
    ['履行地点', '东区仓库'],
    ['货物名称和数量', '教学仪器 3 台'],
    ['质保期（月）', '24'],
  ] as const)
    await page.locator('.contract-values').getByLabel(label).fill(words);
  // The text is no longer the standard one, so with this amount a lawyer must review it.
  await page.locator('.contract-text [contenteditable=true]').getByText('质保期自验收合格之日起').click();
  await page.keyboard.press('End');
  await page.keyboard.type('乙方上门服务。');
  await choose(page, page.getByRole('combobox', { name: '按比例生成' }), '50% / 50%');
  await page.getByRole('button', { name: '保存合同' }).click();
  await action(page, '提交审批').click();
  await expect(head(page)).toContainText('部门负责人审核');

  const agree = async () => {
    await page.goto(address);
    // A person who also handles the next step sees the button again at once, so the test waits for the response.
    const taken = page.waitForResponse((answer) => isDecision(answer));
    await action(page, '同意').click();
    expect((await taken).ok()).toBe(true);
  };
  await turn('song.mingjie');
  await agree();
  await turn('qian.weimin');
  await page.goto(address);
  await page.getByLabel('意见', { exact: true }).fill('请写明经费来源');
  await action(page, '退回起草人').click();
  await expect(action(page, '退回起草人')).toHaveCount(0);
  await turn('qin.haoyu');
  await page.goto(address);
  await expect(page.getByText('请写明经费来源').first()).toBeVisible();
  await page.getByRole('button', { name: '编辑合同' }).click();
  await page.getByLabel('经费来源', { exact: true }).fill('教学设备费');
  await page.getByRole('button', { name: '保存合同' }).click();
  await action(page, '提交审批').click();
  await expect(head(page)).toContainText('部门负责人审核');
  await turn('song.mingjie');
  await agree();
  await turn('qian.weimin');
  await page.goto(address);
  await choose(page, page.getByLabel('风险等级', { exact: true }), '低');
  await page.getByLabel('法律意见', { exact: true }).fill('可以签订');
  await action(page, '同意').click();
  await expect(action(page, '同意')).toHaveCount(0);
  for (const who of ['xie.chunmei', 'liu.hanlin', 'zhou.zhiyuan']) {
    await turn(who);
    await agree();
  }
  await turn('qin.haoyu');
  await page.goto(address);
  await expect(head(page)).toContainText('待签订');
  await action(page, '申请用印').click();
  await page.getByRole('checkbox', { name: '文件没有空白待填处' }).check();
  await page.getByRole('checkbox', { name: '示范大学合同专用章' }).check();
  await page.getByLabel('用印事由').fill('签订合同');
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(head(page)).toContainText('部门负责人审核');
  await sealed(baseURL, Number(new URL(page.url()).pathname.split('/').at(-1)));

  await page.goto(address);
  await action(page, '签订登记').click();
  const drawer = page.getByRole('dialog');
  await drawer.locator('input[type=file]').first().setInputFiles(scan('签署件.pdf'));
  await expect(drawer.getByRole('link', { name: '签署件.pdf' })).toBeVisible();
  await drawer.getByRole('button', { name: '签订登记' }).click();
  await expect(head(page)).toContainText('履行中');

  for (const [who, voucher] of [
    ['dong.haoran', '记-101'],
    ['xie.chunmei', '记-102'],
  ] as const) {
    await turn(who);
    await page.goto(address);
    await action(page, '履约登记').click();
    await drawer.getByLabel('凭证号', { exact: true }).fill(voucher);
    await drawer
      .locator('input[type=file]')
      .first()
      .setInputFiles(scan(`${voucher}.pdf`));
    await expect(drawer.getByRole('link', { name: `${voucher}.pdf` })).toBeVisible();
    await drawer.getByRole('button', { name: '履约登记' }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('region', { name: '履约', exact: true })).toContainText(`凭证 ${voucher}`);
  }
  await turn('shen.lijuan');
  await page.goto(address);
  await expect(page.getByText('600,000.00 / 0.00 元')).toBeVisible();
  await page.getByRole('button', { name: '其他办理' }).click();
  await page.getByRole('menuitem', { name: '履行完毕' }).click();
  await drawer.getByRole('button', { name: '履行完毕' }).click();
  await expect(head(page)).toContainText('履行完毕');
  await action(page, '归档登记').click();
  await drawer.getByLabel('档号', { exact: true }).fill('HT-2026-901');
  await drawer.getByLabel('存放位置', { exact: true }).fill('档案室 3 柜');
  await drawer.getByRole('button', { name: '归档登记' }).click();
  await expect(head(page)).toContainText('已归档');
  await expect(stages(page).locator('.ant-steps-item-finish')).toHaveCount(6);
  await expect(page.getByRole('region', { name: '登记记录' })).toContainText('归档登记');
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('region', { name: '附件' })).toContainText('.zip', { timeout: 10_000 });
  }).toPass({ timeout: 120_000 });
});
