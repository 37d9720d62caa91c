import { expect, type Page } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

const hour = 3_600_000;
/** Local time in the form of a date and time field. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);
const inDays = (days: number) => local(Date.now() + days * 24 * hour).slice(0, 10);

/** Opens the form of an action, fills in its fields and sends it. */
async function act(page: Page, name: string, fields: Record<string, string> = {}, choice?: [string, string]) {
  await page.getByRole('button', { name, exact: true }).first().click();
  const form = page.getByRole('dialog');
  if (choice) {
    await form.getByLabel(choice[0], { exact: true }).click();
    await page.locator('.ant-select-item-option').filter({ hasText: choice[1], visible: true }).click();
  }
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByLabel(label, { exact: true });
    if (value === 'on') await field.click();
    else await field.fill(value);
  }
  await form.getByRole('button', { name, exact: true }).click();
  await expect(form).toHaveCount(0);
}

test('a meeting’s decision becomes a supervised item, is reported, returned, extended, finished, and in the bulletin', async ({
  page,
  baseURL,
}) => {
  const title = `更换实验室门锁${Date.now() % 1e6}`;
  const [qian, song, kong] = await Promise.all(
    ['qian.weimin', 'song.mingjie', 'kong.lingwei'].map((name) => caller(baseURL, name)),
  );
  const idOf = async (who: typeof qian) => (await who!.ask('GET', '/api/accounts/info/')).data.id as number;
  const [supervisor, host, owner] = [await idOf(qian), await idOf(song), await idOf(kong)];
  const start = Date.now() + hour / 6;
  const times = {
    start_time: `${local(start).replace('T', ' ')}:00`,
    end_time: `${local(start + hour).replace('T', ' ')}:00`,
  };
  const said = async (method: string, path: string, body: object) => {
    const { code, msg, data } = await song!.ask(method, path, body);
    expect(code, msg).toBe(0);
    return data;
  };
  const asked = { title: '实验室安全会', location: '信息楼 305', ...times, host_id: host, recorder_id: host };
  const audience = { all: false, depts: [], roles: [], users: [supervisor, owner] };
  const { id } = await said('POST', '/api/meet/', { ...asked, audience, sign_mode: 3, submit: true });
  await said('POST', `/api/meet/${id}/sign/`, { users: [supervisor, owner] });
  const decisions = [{ content: title, owner_id: owner, due: inDays(10) }];
  await said('PUT', `/api/meet/${id}/minutes/`, { act: 'hand_in', content: '议定如下', decisions });
  await said('PUT', `/api/meet/${id}/minutes/`, { act: 'publish' });

  const turn = turnsAt(page, baseURL);
  const head = page.locator('.kit-detail-head');
  await turn('qian.weimin');
  await page.goto(`/meet/detail/${id}`);
  await page.getByRole('button', { name: '转督办' }).click();
  await page.getByRole('link', { name: /^DB\d+ 草稿/ }).click();
  await expect(page).toHaveURL(/\/supervise\/detail\/\d+/);
  const address = new URL(page.url()).pathname;
  await act(page, '交办');
  await expect(head).toContainText('办理中');
  const open = async (name: string) => {
    await turn(name);
    await page.goto(address);
    await expect(head).toContainText(title);
  };
  await open('kong.lingwei');
  await act(page, '反馈', { 完成比例: '60', 已完成: '已换好一层' });
  await open('qian.weimin');
  await act(page, '审核', { 意见: '请写明房间' }, ['结果', '退回']);
  await open('kong.lingwei');
  await act(page, '申请延期', { 原因: '门锁到货晚', 目前进展: '一层已换好', 申请延至: `${inDays(20)}T17:00` });
  await open('qian.weimin');
  await act(page, '决定', { 意见: '同意顺延', 事项时限一并顺延: 'on' });
  await expect(page.getByText(`${inDays(20)} 17:00`).first()).toBeVisible();
  // A sheet is sent with a deadline for the answer; its recipient signs for it with the answer.
  await act(page, '下发督办单', { 督办内容: '请说明进度', 答复时限: `${inDays(3)}T17:00` }, ['子任务', title]);
  const sheet = page.locator('.sup-says > li').filter({ hasText: '请说明进度' });
  await expect(sheet).toContainText('未签收');
  await open('kong.lingwei');
  await sheet.getByRole('button', { name: '签收', exact: true }).click();
  const signing = page.getByRole('dialog');
  await signing.getByLabel('答复', { exact: true }).fill('门锁已到货');
  await signing.getByRole('button', { name: '签收', exact: true }).click();
  await expect(sheet).toContainText('签收 门锁已到货');
  await open('kong.lingwei');
  await act(page, '反馈', { 完成比例: '100', 已完成: '301 至 315 已全部更换', 申请完成: 'on' });
  await open('qian.weimin');
  await act(page, '审核', { 意见: '已现场核对' });
  // All of its parts are done, so it automatically waits for completion.
  await expect(head).toContainText('申请办结');
  await act(page, '办结', { 办结说明: '全部更换完毕', 评分: '95' });
  await expect(head).toContainText('已办结');

  // On paper the plan repeats its months at the top of each sheet.
  await page.goto('/supervise/list?view=gantt');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.sup-axis')).toHaveCSS('display', 'table-header-group');
  await page.emulateMedia({ media: 'screen' });

  await page.goto('/supervise/statistics');
  await page.getByRole('button', { name: '督办通报' }).click();
  await page.getByLabel('月份').fill(inDays(20).slice(0, 7));
  await expect(page.getByRole('dialog')).toContainText(title);
  await page.getByRole('button', { name: '生成公文草稿' }).click();
  await expect(page).toHaveURL(/\/document\//);
  await expect(page.getByText(title).first()).toBeVisible();
});
