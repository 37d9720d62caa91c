import { expect, type Locator, type Page } from '@playwright/test';
import { caller, test, turnsAt, type Caller } from './office.ts';

test.setTimeout(90_000);

const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head');
const stages = (page: Page) => page.getByRole('region', { name: '阶段' });
const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
const scan = (name: string) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) });

/** Chooses an option of a select by its words. */
async function choose(page: Page, select: Locator, option: string): Promise<void> {
  await select.click();
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** What only the keeper's own desk shows is asked for by its calls: a seal is put on the copies, a second person watches. */
async function sealed(origin: string | undefined, id: number): Promise<void> {
  const clerk = await caller(origin, 'qin.haoyu');
  const source = () => clerk.ask('GET', `/api/stamp/application/source/?module=contracts&id=${id}`);
  await expect.poll(async () => (await source()).data.offer?.files.length ?? 0, { timeout: 20_000 }).toBe(1);
  const { title, file_kind, copies, amount, receiver, files } = (await source()).data.offer;
  const keeper = await caller(origin, 'shen.lijuan');
  const { value } = (await keeper.ask('GET', '/api/stamp/?search_value=SFDX-03')).data;
  const asked = await clerk.ask('POST', '/api/stamp/application/', {
    title,
    file_kind,
    copies,
    amount,
    receiver,
    files: files.map((file: { id: number }) => file.id),
    reason: '签订合同',
    lines: [{ stamp_id: value[0].id }],
    no_blanks: true,
    submit: true,
    source: { module: 'contracts', id },
  });
  expect(asked.msg).toBe('新增用印申请成功');
  const seal = asked.data.id as number;
  const application = async (who: Caller) => (await who.ask('GET', `/api/stamp/application/${seal}/`)).data.value;
  for (const name of ['song.mingjie', 'zhao.yan', 'liu.hanlin', 'shen.lijuan']) {
    const who = await caller(origin, name);
    const row = await application(clerk);
    if (row.act_state !== 1) break;
    const ticket = await who.ask('GET', `/api/tickets/${row.ticket_id}/`);
    const way = ticket.data?.value?.transitions?.find(
      (one: { attribute_type_id: number }) => one.attribute_type_id === 1,
    );
    if (way)
      await who.ask('PATCH', `/api/tickets/${row.ticket_id}/`, {
        transition_id: way.transition_id,
        suggestion: '同意',
      });
  }
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const form = new FormData();
  form.set('module', 'stamp_pictures');
  form.set('file', new Blob([dot]), '用印.png');
  const headers = { authorization: `JWT ${keeper.token}` };
  const sent = await fetch(new URL('/api/file/upload/', origin), { method: 'POST', headers, body: form });
  const picture = ((await sent.json()) as { data: { id: number } }).data.id;
  const put = await keeper.ask('PUT', `/api/stamp/application/${seal}/handle/`, {
    stamp_ids: [value[0].id],
    kind: 'seal',
    pictures: [picture],
    remark: '合同用印',
  });
  expect(put.code, put.msg).toBe(0);
  const watcher = await caller(origin, 'ding.aiguo');
  if ((await application(watcher)).lines.some((line: { pending_at: string | null }) => line.pending_at !== null)) {
    const confirmed = await watcher.ask('POST', `/api/stamp/application/${seal}/confirm/`, {
      password: 'Gongdan@2026',
    });
    expect(confirmed.code, confirmed.msg).toBe(0);
  }
}

test('a contract goes from its template to the archive box through seven people, with a return, a seal and two payments', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const name = '教学仪器采购合同（年度）';

  await turn('qin.haoyu');
  await page.goto('/contract/list?new=1');
  await page.getByLabel('合同名称').fill(name);
  await page.getByRole('button', { name: '保存草稿' }).click();
  await expect(head(page)).toContainText('草稿');
  const address = new URL(page.url()).pathname;
  await page.getByRole('button', { name: '编辑合同' }).click();
  await page.getByLabel('合同类别').click();
  await page.getByTitle('采购合同', { exact: true }).click();
  await page.getByLabel('我方').fill('示范大学');
  await page.getByLabel('相对方名称').fill('精仪教学设备有限公司');
  await page.getByLabel('合同金额').fill('30000');
  await page.getByLabel('开始日期').fill(day(0));
  await page.getByLabel('结束日期').fill(day(300));
  await page.getByText('示范文本', { exact: true }).click();
  await choose(page, page.getByLabel('合同模板'), '采购合同示范文本');
  for (const [label, words] of [
    ['履行地点', '东区仓库'],
    ['货物名称和数量', '教学仪器 3 台'],
    ['质保期（月）', '24'],
  ] as const)
    await page.locator('.contract-values').getByLabel(label).fill(words);
  await choose(page, page.getByRole('combobox', { name: '按比例生成' }), '50% / 50%');
  await page.getByRole('button', { name: '保存合同' }).click();
  await action(page, '提交审批').click();
  await expect(head(page)).toContainText('部门负责人审核');

  const agree = async () => {
    await page.goto(address);
    await action(page, '同意').click();
    await expect(action(page, '同意')).toHaveCount(0);
  };
  await turn('song.mingjie');
  await agree();
  await turn('dong.haoran');
  await page.goto(address);
  await page.getByLabel('意见').fill('请写明经费来源');
  await action(page, '退回起草人').click();
  await expect(action(page, '退回起草人')).toHaveCount(0);
  await turn('qin.haoyu');
  await page.goto(address);
  await expect(page.getByText('请写明经费来源').first()).toBeVisible();
  await page.getByRole('button', { name: '编辑合同' }).click();
  await page.getByLabel('经费来源').fill('教学设备费');
  await page.getByRole('button', { name: '保存合同' }).click();
  await action(page, '提交审批').click();
  await expect(head(page)).toContainText('部门负责人审核');
  for (const who of ['song.mingjie', 'xie.chunmei', 'liu.hanlin']) {
    await turn(who);
    await agree();
  }
  await turn('qin.haoyu');
  await page.goto(address);
  await expect(head(page)).toContainText('待签订');
  await expect(action(page, '申请用印')).toBeVisible();
  await sealed(baseURL, Number(address.split('/').at(-1)));

  await page.goto(address);
  await action(page, '签订登记').click();
  const drawer = page.getByRole('dialog');
  await drawer.locator('input[type=file]').first().setInputFiles(scan('签署件.pdf'));
  await expect(drawer.getByText('签署件.pdf')).toBeVisible();
  await drawer.getByRole('button', { name: '签订登记' }).click();
  await expect(head(page)).toContainText('履行中');

  for (const [who, voucher] of [
    ['dong.haoran', '记-101'],
    ['xie.chunmei', '记-102'],
  ] as const) {
    await turn(who);
    await page.goto(address);
    await action(page, '履约登记').click();
    await drawer.getByLabel('凭证号').fill(voucher);
    await drawer
      .locator('input[type=file]')
      .first()
      .setInputFiles(scan(`${voucher}.pdf`));
    await expect(drawer.getByText(`${voucher}.pdf`)).toBeVisible();
    await drawer.getByRole('button', { name: '履约登记' }).click();
    await expect(drawer).toHaveCount(0);
    await expect(page.getByRole('region', { name: '履约', exact: true })).toContainText(`凭证 ${voucher}`);
  }
  await turn('shen.lijuan');
  await page.goto(address);
  await expect(page.getByText('30,000.00 / 0.00 元')).toBeVisible();
  await page.getByRole('button', { name: '其他办理' }).click();
  await page.getByRole('menuitem', { name: '履行完毕' }).click();
  await drawer.getByRole('button', { name: '履行完毕' }).click();
  await expect(head(page)).toContainText('履行完毕');
  await action(page, '归档登记').click();
  await drawer.getByLabel('档号').fill('HT-2026-001');
  await drawer.getByLabel('存放位置').fill('档案室 3 柜');
  await drawer.getByRole('button', { name: '归档登记' }).click();
  await expect(head(page)).toContainText('已归档');
  await expect(stages(page).locator('.ant-steps-item-finish')).toHaveCount(6);
  await expect(page.getByRole('region', { name: '登记记录' })).toContainText('归档登记');
});
