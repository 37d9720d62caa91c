import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, type Page } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const list = '/api/stamp/application/';
/** Local time so many seconds from now. */
const after = (seconds: number) =>
  new Date(Date.now() + 8 * 3_600_000 + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

const shoot = (page: Page) =>
  page.getByLabel('选择照片').setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer: dot });

async function photograph(page: Page): Promise<void> {
  await shoot(page);
  await expect(page.getByRole('button', { name: /^移除/ })).toBeVisible();
}

async function upload(origin: string | undefined, who: Caller): Promise<number> {
  const form = new FormData();
  form.set('module', 'stamps');
  form.set('file', new Blob([dot]), '文件.png');
  const headers = { authorization: `JWT ${who.token}` };
  const sent = await fetch(new URL('/api/file/upload/', origin), { method: 'POST', body: form, headers });
  return ((await sent.json()) as { data: { id: number } }).data.id;
}

/** Approves it as each of its handlers. */
async function approve(origin: string | undefined, admin: Caller, id: number): Promise<void> {
  for (;;) {
    const { value } = (await admin.ask('GET', `${list}${id}/`)).data;
    if (value.act_state !== 1) return;
    const [name] = String(value.participant_info.participant).split(',');
    const who = await caller(origin, name!);
    const ticket = (await who.ask('GET', `/api/tickets/${value.ticket_id}/`)).data.value;
    const way = ticket.transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
    const body = { transition_id: way.transition_id, suggestion: '同意' };
    expect(await who.ask('PATCH', `/api/tickets/${value.ticket_id}/`, body)).toMatchObject({ code: 0 });
  }
}

test('a seal is lent out with its escort’s signature, is red on the desk when overdue, and is returned', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const qin = await caller(baseURL, 'qin.haoyu');
  const admin = await caller(baseURL, 'admin');
  const seals = (await qin.ask('GET', '/api/stamp/dept_stamp/')).data.value as { id: number; name: string }[];
  const seal = seals.find((one) => one.name === '示范大学钢印')!;
  const title = '外出办理的成绩认证';
  const made = await qin.ask('POST', list, {
    title,
    reason: '省厅现场认证',
    file_kind: 4,
    copies: 2,
    no_blanks: true,
    submit: true,
    files: [await upload(baseURL, qin)],
    lines: [{ stamp_id: seal.id }],
    use_type: 2,
    borrow_start: after(0),
    borrow_end: after(60),
    borrow_place: '省教育厅',
    escort: 'bai.xue',
  });
  expect(made, made.msg).toMatchObject({ code: 0 });
  await approve(baseURL, admin, made.data.id);

  const sun = await caller(baseURL, 'sun.jiahui');
  const page = await enter(browser, baseURL, sun.token);
  await page.goto('/stamp/desk');
  await page.getByRole('button', { name: title }).click();
  await photograph(page);
  await page.getByRole('button', { name: '陪同人签名并交出' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('textbox').fill('白雪');
  await sheet.getByRole('button', { name: '签名并交出印章' }).click();
  await expect(page.getByText('交出印章，已登记')).toBeVisible();

  const late = page.getByRole('region', { name: '用印办理' }).getByRole('listitem').filter({ hasText: title });
  await expect(async () => {
    await page.goto('/stamp/desk?tab=out');
    await expect(page.getByText(/枚印章逾期未还/)).toBeVisible({ timeout: 5000 });
    await expect(late).toContainText('逾期', { timeout: 5000 });
  }).toPass({ timeout: 120_000 });
  await late.getByRole('button', { name: title }).click();
  await photograph(page);
  await page.getByRole('button', { name: '已归还' }).click();
  await expect(page.getByText('已归还，已登记')).toBeVisible();

  const his = await enter(browser, baseURL, qin.token);
  await his.goto(`/stamp/detail/${made.data.id}`);
  await expect(his.getByRole('region', { name: '印章', exact: true })).toContainText('已归还');
});

test('a keeper on a phone reads a slip, compares and seals the file with two photos once both have arrived, a second person confirms, and a seal is returned', async ({
  browser,
  baseURL,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
  const qin = await caller(baseURL, 'qin.haoyu');
  const known = (await qin.ask('GET', `${list}?category=owner&per_page=100`)).data.value as {
    id: number;
    title: string;
  }[];
  const idOf = (title: string) => known.find((one) => one.title === title)!.id;
  const id = idOf('教职工在职证明');
  const { code } = (await qin.ask('GET', `${list}${id}/`)).data.value;

  const sun = await caller(baseURL, 'sun.jiahui');
  const page = await enter(browser, baseURL, sun.token, phone);
  await page.goto('/stamp/desk');
  await page.getByLabel('用印凭条').fill(`${baseURL}/api/verify/${code}/`);
  await page.getByLabel('用印凭条').press('Enter');
  await expect(page.getByRole('heading', { name: '教职工在职证明' })).toBeVisible();
  await expect(page.getByText('第 1 / 1 页')).toBeVisible();
  let arrive = () => undefined as void;
  const slow = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/api/file/upload/', async (route) => {
    await slow;
    await route.continue();
  });
  await shoot(page);
  await shoot(page);
  await expect(page.getByRole('button', { name: '文件上传中，请稍候' })).toBeDisabled();
  arrive();
  await expect(page.getByRole('button', { name: /^移除/ })).toHaveCount(2);
  const done = page.getByRole('button', { name: '请逐项核对' });
  await expect(done).toBeDisabled();
  await expect(done).toBeInViewport({ ratio: 1 });
  for (const check of ['页数一致', '无空白', '份数一致']) await page.getByRole('checkbox', { name: check }).tap();
  // A number that cannot be read is not replaced by the one that stood there before.
  const copies = page.getByRole('spinbutton', { name: '份数' });
  const asked = await copies.inputValue();
  await copies.fill('二');
  await page.getByLabel('说明').fill('窗口急办');
  await expect(page.getByRole('button', { name: '“二”不是数字，没有填入' })).toBeDisabled();
  await copies.fill(asked);
  const sent = page.waitForRequest((one) => one.postData()?.includes('"real_copies"') === true);
  await page.getByRole('button', { name: '已用印' }).tap();
  expect((await sent).postDataJSON().pictures).toHaveLength(2);
  await expect(page.getByText('已用印，已登记')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  const qian = await caller(baseURL, 'qian.weimin');
  const second = await enter(browser, baseURL, qian.token, phone);
  await second.goto('/stamp/application?category=second');
  await second.getByRole('link', { name: '教职工在职证明' }).tap();
  await second.getByRole('button', { name: '监印确认' }).tap();
  await second.getByLabel('登录密码').fill('Gongdan@2026');
  await second.getByRole('button', { name: '确认用印属实' }).tap();
  await expect(second.getByRole('region', { name: '印章', exact: true })).toContainText('已用印');

  await page.getByRole('button', { name: /^在外/ }).tap();
  await page.getByRole('button', { name: '招标文件' }).tap();
  await photograph(page);
  await page.getByRole('button', { name: '已归还' }).tap();
  await expect(page.getByText('已归还，已登记')).toBeVisible();
  const after = (await qin.ask('GET', `${list}${idOf('招标文件')}/`)).data.value;
  expect(after.lines.map((line: { state: number }) => line.state)).toEqual([4]);
});

test('the monthly seal book is printed on A4 landscape with all sealings under one head', async ({
  browser,
  baseURL,
}) => {
  const auditor = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, auditor.token);
  await page.goto('/stamp/register');
  const rows = page.locator('.stamp-book tbody tr');
  await expect(rows.first()).toBeVisible();
  // As many rows as in a busy month.
  await page.evaluate(() => {
    const body = document.querySelector('.stamp-book tbody')!;
    const [row] = body.children;
    for (let count = 0; count < 60; count += 1) body.append(row!.cloneNode(true));
  });
  const paper = await PDFDocument.load(await page.pdf({ preferCSSPageSize: true }));
  expect(paper.getPageCount()).toBeGreaterThan(2);
  for (const sheet of paper.getPages()) expect(sheet.getWidth()).toBeGreaterThan(sheet.getHeight());
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: '打印' })).toBeHidden();
  await expect(page.getByRole('heading', { name: /用印登记簿（/ })).toBeVisible();
  await expect(page.getByText('部门负责人签名：')).toBeVisible();
});
