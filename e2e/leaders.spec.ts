import { expect, type Page } from '@playwright/test';
import { caller, enter, test, turnsAt } from './office.ts';

const hour = 3_600_000;
/** Local time in the form of a date and time field. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);

test('a leaders’ week is collected from a meeting, published, changed with marked changes, and printed', async ({
  page,
  baseURL,
}) => {
  const turn = turnsAt(page, baseURL);
  const title = `校园建设专题会${test.info().retry}`;
  const monday = Date.parse(`${local(Date.now()).slice(0, 10)}T00:00:00Z`);
  const day = new Date(monday + (14 - ((new Date(monday).getUTCDay() + 6) % 7) + 2) * 24 * hour)
    .toISOString()
    .slice(0, 10);
  const zhao = await turn('zhao.yan');
  const gao = (await (await caller(baseURL, 'gao.jianjun')).ask('GET', '/api/accounts/info/')).data.id;
  const body = { title, location: '行政楼 201', start_time: `${day} 09:00:00`, end_time: `${day} 10:00:00` };
  const made = await zhao.ask('POST', '/api/meet/', { ...body, host_id: gao, submit: true });
  expect(made, made.msg).toMatchObject({ code: 0 });
  for (let at = await zhao.ask('GET', `/api/meet/${made.data.id}/`); at.data.value.act_state === 1;) {
    const row = at.data.value;
    const who = await caller(baseURL, String(row.participant_info.participant).split(',')[0]!);
    const { transitions } = (await who.ask('GET', `/api/tickets/${row.ticket_id}/`)).data.value;
    const way = transitions.find((one: { attribute_type_id: number }) => one.attribute_type_id === 1);
    await who.ask('PATCH', `/api/tickets/${row.ticket_id}/`, { transition_id: way.transition_id, suggestion: '同意' });
    at = await zhao.ask('GET', `/api/meet/${made.data.id}/`);
  }

  await page.goto(`/schedule/index?date=${day}`);
  const entry = page.locator('.leader-entry').filter({ hasText: title });
  await expect(entry).toContainText('行政楼 201');
  await page.getByRole('button', { name: /发布$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click();
  await expect(page.getByText(/第 \d+ 版，赵妍/)).toBeVisible();

  await turn('chen.guodong');
  await page.goto(`/schedule/index?date=${day}`);
  await expect(entry.getByRole('img', { name: '新' })).toBeVisible();
  await page.reload();
  await expect(entry).toBeVisible();
  await expect(entry.getByRole('img', { name: '新' })).toHaveCount(0);
  const cancelled = await zhao.ask('POST', `/api/meet/${made.data.id}/cancel/`, { reason: '另行安排' });
  expect(cancelled, cancelled.msg).toMatchObject({ code: 0 });
  await expect(entry).toContainText('取消');
  await page.getByRole('button', { name: '打印' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: '下载' })).toBeEnabled({ timeout: 120_000 });
});

test('a leader agrees to a trip by phone, and the acting colleague approves for them until the leader is back', async ({
  page,
  browser,
  baseURL,
}) => {
  const said = async (name: string, method: string, path: string, body: object) => {
    const { code, msg, data } = await (await caller(baseURL, name)).ask(method, path, body);
    expect(code, msg).toBe(0);
    return data;
  };
  // Leaders of the demonstration are away on some days of a week; those here never are. A retry uses a leader who is not on a trip yet.
  const [leader, called, secretary, head, author] = (
    [
      ['liu.hanlin', '刘翰林', 'sun.meiqi', 'song.mingjie', 'fan.zhengyang'],
      ['xu.wenqing', '徐文清', 'he.jing', 'han.xueying', 'wan.jiayi'],
    ] as const
  )[test.info().retry]!;
  // Two documents of one college wait for its leader in charge.
  const serial = String(Date.now() % 1e6);
  const memos: number[] = [];
  for (const no of [1, 2]) {
    const memo = { doc_kind: 3, doc_type: 11, title: `关于实验耗材采购的请示${serial}-${no}`, body_html: '请审批。' };
    memos.push((await said(author, 'POST', '/api/document/', { ...memo, submit: true })).id);
  }
  const trip = {
    type_id: 3,
    leaders: [leader],
    title: `赴省城调研${serial}`,
    address: '省城',
    start_time: local(Date.now() - hour / 2).replace('T', ' '),
    end_time: local(Date.now() + 2 * hour).replace('T', ' '),
    acting: 'huang.jianping',
    approvers: ['zhou.zhiyuan'],
    force: true,
  };
  const { id } = await said(secretary, 'POST', '/api/leader/', { ...trip, submit: true });
  const turn = turnsAt(page, baseURL);
  const action = (at: Page, name: string) =>
    at.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
  const decide = async (at: Page, path: string, button: string) => {
    await at.goto(path);
    await action(at, button).click();
    await expect(action(at, button)).toHaveCount(0);
  };
  for (const memo of memos) {
    await turn(head);
    await decide(page, `/document/detail/${memo}`, '同意');
  }

  const look = { viewport: { width: 390, height: 844 } };
  const phone = await enter(browser, baseURL, (await caller(baseURL, leader)).token, look);
  await decide(phone, `/schedule/detail/${id}`, '确认');
  await turn('zhou.zhiyuan');
  await decide(page, `/schedule/detail/${id}`, '同意');
  await turn('zhao.yan');
  await decide(page, `/schedule/detail/${id}`, '备案');
  await expect(page.getByRole('region', { name: '日程', exact: true })).toContainText('代办中，至');

  const approves = action(page, `同意（代 ${called}）`);
  await turn('huang.jianping');
  await page.goto(`/document/detail/${memos[0]}`);
  await approves.click();
  // The next step waits for the same leader, among others, so the button may be there again.
  await expect(page.getByRole('region', { name: '流转记录' })).toContainText(`黄建平（代 ${called}）`);
  await page.goto(`/document/detail/${memos[1]}`);
  await expect(approves).toBeVisible();

  await turn(secretary);
  await page.goto(`/schedule/detail/${id}`);
  await page.getByRole('button', { name: '销假' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '销假' }).click();
  await expect(page.getByRole('region', { name: '日程', exact: true })).toContainText('已于');
  await turn('huang.jianping');
  await page.goto(`/document/detail/${memos[1]}`);
  // A person who saw it only on the leader's behalf no longer sees it.
  await expect(page.getByRole('main').getByText('公文不存在，或您无权查看')).toBeVisible();
  await expect(approves).toHaveCount(0);
});

test('a secretary repeats a schedule weekly from its page, and cancels it from one week on', async ({
  page,
  baseURL,
}) => {
  const sun = await turnsAt(page, baseURL)('sun.meiqi');
  const title = `每周工作例会${test.info().retry}`;
  const day = local(Date.now() + (210 + test.info().retry) * 24 * hour).slice(0, 10);
  const body = { leaders: ['liu.hanlin'], title, start_time: `${day} 08:30`, end_time: `${day} 09:30` };
  const made = await sun.ask('POST', '/api/leader/', { ...body, submit: true });
  expect(made, made.msg).toMatchObject({ code: 0 });
  await page.goto(`/schedule/detail/${made.data.id}`);
  await expect(page.getByRole('region', { name: '日程', exact: true })).toContainText('1 小时前');
  await page.getByRole('button', { name: '每周重复' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('连续周数').fill('3');
  await drawer.getByRole('button', { name: '每周重复' }).click();
  await expect(page.getByText('已安排 3 周')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: '取消日程' }).click();
  await drawer.getByLabel('原因').fill('本学期调整');
  await drawer.getByRole('combobox', { name: '范围' }).click();
  await page.getByTitle('这一周及以后各周').click();
  await drawer.getByRole('button', { name: '取消日程' }).click();
  await expect(page.getByText('已取消：本学期调整')).toBeVisible();
  const found = await sun.ask('GET', `/api/leader/?category=side&search_value=${encodeURIComponent(title)}`);
  expect(found.data.value.map((row: { run_status: number }) => row.run_status)).toEqual([3, 3, 3, 3]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('已取消：本学期调整')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
