import { expect, type Page } from '@playwright/test';
import { centred, para, wordFile } from '../modules/office/documents/testing/word.ts';
import { readPaper } from '../modules/platform/typesetting/testing/paper.ts';
import { caller, password, test, turnsAt, type Caller } from './office.ts';

// Long tests that are independent of each other.
test.describe.configure({ mode: 'parallel' });

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const word = (name: string, body: string) => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  buffer: Buffer.from(wordFile(body)),
});
const idIn = (page: Page) => Number(new URL(page.url()).pathname.split('/').at(-1));
const document = async (who: Caller, id: number) => (await who.ask('GET', `/api/document/${id}/`)).data.value;

/** Approves a ticket as each of its handlers, one after the other, until a state is reached. */
async function goOn(origin: string | undefined, admin: Caller, ticket: number, until: string): Promise<void> {
  for (let step = 0; step < 20; step += 1) {
    const { value } = (await admin.ask('GET', `/api/tickets/${ticket}/`)).data;
    if (value.act_state_id !== 1 || value.state.state_name === until) return;
    const [name] = String(value.participant_info.participant).split(',');
    const who = await caller(origin, name!);
    const mine = (await who.ask('GET', `/api/tickets/${ticket}/`)).data.value;
    const way = mine.transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
    const body = { transition_id: way.transition_id, suggestion: '同意' };
    const answer = await who.ask('PATCH', `/api/tickets/${ticket}/`, body);
    expect(answer, answer.msg).toMatchObject({ code: 0 });
  }
  throw new Error(`never came to ${until}`);
}

/** The text on a document's paper without spaces, once it contains `has`. */
async function paperWith(origin: string | undefined, who: Caller, id: number, has: string) {
  let found = { words: '', paper: null as Awaited<ReturnType<typeof readPaper>> | null };
  await expect
    .poll(
      async () => {
        const headers = { authorization: `JWT ${who.token}` };
        const sent = await fetch(new URL(`/api/document/${id}/pdf/`, origin), { headers });
        const paper = await readPaper(Buffer.from(await sent.arrayBuffer()));
        found = { paper, words: paper.texts.map((one) => one.text.replace(/\s/g, '')).join('') };
        return found.words;
      },
      { timeout: 120_000 },
    )
    .toContain(has);
  return { words: found.words, paper: found.paper! };
}

/** Chooses the agency code that numbers a letter. */
async function numberedBy(page: Page, code: string): Promise<void> {
  await page.getByLabel('机关代字').click();
  await page.locator('.ant-select-item-option', { hasText: code }).click();
}

test('a joint request of three organisations is signed by two, and has all three names on paper', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const author = await turn('shen.lijuan');
  const admin = await caller(baseURL, 'admin');
  const title = `关于共建实验教学中心${test.info().retry}的请示`;
  await page.goto('/document/list?new=1');
  await page.getByLabel('标题').fill(title);
  await page.getByLabel('文种').click();
  // 请示 is the third option below 通知, the form's default.
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(page.getByTitle('请示').first()).toBeVisible();
  await page.getByLabel('发文机关', { exact: true }).fill('示范大学');
  await page.getByTitle('示范大学', { exact: true }).click();
  await page.getByLabel('联合发文机关').fill('示范省教育厅、示范市人民政府、');
  await expect(page.locator('.ant-select-selection-item').filter({ hasText: '示范市人民政府' })).toBeVisible();
  await page.getByLabel('主送').fill('示范省人民政府、');
  await expect(page.locator('.ant-select-selection-item').filter({ hasText: '示范省人民政府' })).toBeVisible();
  await page.getByLabel('签发人', { exact: true }).fill('zhouzhiyuan');
  await page.getByTitle('周志远（校领导）').click();
  await page.getByLabel('联合机关签发人').fill('李建国、');
  await page.getByLabel('联系人').fill('沈丽娟');
  await page.getByLabel('联系电话').fill('0591-83861060');
  await page.getByRole('textbox', { name: '正文' }).fill('为改善实验教学条件，拟三方共建实验教学中心。妥否，请批示。');
  await numberedBy(page, '校发');
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  const id = idIn(page);
  const { ticket_id } = await document(author, id);
  await goOn(baseURL, admin, ticket_id, '签发');

  await turn('zhou.zhiyuan');
  await page.goto(`/document/detail/${id}`);
  await expect(page.getByRole('region', { name: '公文要素' })).toContainText('示范省教育厅、示范市人民政府');
  await page.getByLabel('意见', { exact: true }).fill('同意上报');
  await page.locator('footer[aria-label=操作]').getByRole('button', { name: '签发', exact: true }).click();
  await expect(page.getByText(/“签发”已办理/)).toBeVisible();
  await goOn(baseURL, admin, ticket_id, '用印');

  const { doc_number } = await document(author, id);
  const { words, paper } = await paperWith(baseURL, author, id, doc_number);
  expect(words).toContain('签发人：周志远李建国');
  const names = ['示范大学', '示范省教育厅', '示范市人民政府'];
  const signed = names.map((name) => paper.texts.findLast((one) => one.text.replace(/\s/g, '') === name)!);
  // Side by side, in their order.
  expect(new Set(signed.map((one) => one.y.toFixed(1))).size).toBe(1);
  expect(signed.map((one) => one.x)).toEqual(signed.map((one) => one.x).toSorted((a, b) => a - b));
  await turn('shen.lijuan');
  await page.goto(`/document/detail/${id}`);
  await page.getByRole('button', { name: '预览', exact: true }).click();
  await expect(page.getByRole('dialog').locator('canvas').first()).toBeVisible({ timeout: 120_000 });
});

test('a letter written in Word becomes one PDF with its attachments, is numbered, and sealed by the keeper', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const author = await turn('shen.lijuan');
  const admin = await caller(baseURL, 'admin');
  const title = `关于仓库盘点${test.info().retry}的通知`;
  await page.goto('/document/list?new=1');
  await page.getByLabel('标题').fill(title);
  await page.getByLabel('发文机关', { exact: true }).fill('示范大学');
  await page.getByTitle('示范大学', { exact: true }).click();
  await page.getByLabel('主送').fill('各部门、');
  const body = para(title, centred) + para('各部门：') + para('现将仓库盘点的安排通知如下，表格见附件。');
  await page.getByLabel('选择正文文件').setInputFiles(word('正文.docx', body));
  await expect(page.getByLabel('正文文件的排版')).toContainText('按公文格式重新排版');
  await page
    .getByLabel('选择附件')
    .setInputFiles(word('盘点表.docx', para('盘点表', centred) + para('一号仓库由后勤保障处盘点。')));
  await expect(page.getByRole('button', { name: '移除盘点表.docx' })).toBeVisible();
  await numberedBy(page, '校发');
  await page.getByRole('button', { name: '提交公文' }).click();
  await expect(page).toHaveURL(/\/document\/detail\/\d+/);
  const id = idIn(page);
  const { ticket_id } = await document(author, id);
  const office = await caller(baseURL, 'zhao.yan');
  await goOn(baseURL, admin, ticket_id, '办公室核稿');
  // The office names the signer.
  const mine = (await office.ask('GET', `/api/tickets/${ticket_id}/`)).data.value;
  const way = mine.transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
  const chosen = { transition_id: way.transition_id, suggestion: '同意', issuer: 'zhou.zhiyuan' };
  expect(await office.ask('PATCH', `/api/tickets/${ticket_id}/`, chosen)).toMatchObject({ code: 0 });
  await goOn(baseURL, admin, ticket_id, '用印');
  const { doc_number } = await document(author, id);
  const { words, paper } = await paperWith(baseURL, author, id, doc_number);
  expect(words).toContain('现将仓库盘点的安排通知如下');
  expect(words.indexOf('一号仓库由后勤保障处盘点')).toBeGreaterThan(words.indexOf('现将仓库盘点'));
  expect(words.indexOf('印发', words.indexOf('一号仓库'))).toBeGreaterThan(0);
  expect(paper.pages % 2).toBe(0);

  // The sealed file has exactly these pages.
  await expect
    .poll(
      async () => (await author.ask('GET', `/api/stamp/application/source/?module=documents&id=${id}`)).data?.offer,
      {
        timeout: 120_000,
      },
    )
    .toBeTruthy();
  const { offer } = (await author.ask('GET', `/api/stamp/application/source/?module=documents&id=${id}`)).data;
  const seals = (await author.ask('GET', '/api/stamp/dept_stamp/')).data.value as { id: number; name: string }[];
  const seal = seals.find((one) => one.name === '示范大学')!;
  const made = await author.ask('POST', '/api/stamp/application/', {
    ...offer,
    files: offer.files.map((one: { id: number }) => one.id),
    lines: [{ stamp_id: seal.id }],
    source: { module: 'documents', id },
    reason: '印发通知',
    no_blanks: true,
    submit: true,
  });
  expect(made, made.msg).toMatchObject({ code: 0 });
  const asked = (await author.ask('GET', `/api/stamp/application/${made.data.id}/`)).data.value;
  await goOn(baseURL, admin, asked.ticket_id, '');
  const keeper = (await author.ask('GET', `/api/stamp/application/${made.data.id}/`)).data.value.lines[0].keeper;
  await turn(keeper.username);
  await page.goto('/stamp/desk');
  await page.getByRole('button', { name: new RegExp(title) }).click();
  await page.getByLabel('选择照片').setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer: dot });
  await expect(page.getByRole('button', { name: /^移除/ })).toBeVisible();
  for (const check of ['页数一致', '无空白', '份数一致']) await page.getByRole('checkbox', { name: check }).check();
  // At any hour: out of hours the keeper gives a reason.
  await page.getByLabel('说明').fill('随即印发');
  await page.getByRole('button', { name: '已用印' }).click();
  await expect(page.getByText('已用印，已登记')).toBeVisible();
  // A second person supervises the institution's seal.
  await turn('qian.weimin');
  await page.goto(`/stamp/detail/${made.data.id}`);
  await page.getByRole('button', { name: '监印确认' }).click();
  await page.getByLabel('登录密码').fill(password);
  await page.getByRole('button', { name: '确认用印属实' }).click();
  await expect(page.getByRole('region', { name: '印章', exact: true })).toContainText('已用印');

  await turn('shen.lijuan');
  await page.goto(`/document/detail/${id}`);
  await expect(page.getByRole('region', { name: '用印', exact: true })).toContainText('已用印');
});
