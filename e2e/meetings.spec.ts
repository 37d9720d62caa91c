import { expect, type Locator, type Page } from '@playwright/test';
import { caller, enter, test, turnsAt, type Caller } from './office.ts';

const hour = 3_600_000;
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** Local time, as a field of date and time has it. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);
const action = (page: Page, name: string) =>
  page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
const head = (page: Page) => page.locator('.kit-detail-head').filter({ visible: true });
const wide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

async function choose(page: Page, select: Locator, option: string, typed = false): Promise<void> {
  await select.click();
  if (typed) await select.fill(option);
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** The next full hour that a room may still be asked for; none that ends with the day. */
function soon(): number {
  const at = Math.ceil((Date.now() + 65 * 60_000) / hour) * hour;
  return local(at).slice(11, 13) === '23' ? at + hour : at;
}

/** The office's rooms are open day and night: the test runs at any hour. */
async function openAlways(admin: Caller, name: string): Promise<void> {
  const { value } = (await admin.ask('GET', '/api/meet/office/')).data;
  const { id, version } = value.find((one: { name: string }) => one.name === name);
  const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' };
  const said = await admin.ask('PATCH', `/api/meet/office/${id}/`, { open_hours, version });
  expect(said, said.msg).toMatchObject({ code: 0 });
}

/** Opens the drawer of an action of what is supervised, fills it in and sends it. */
async function supervised(page: Page, name: string, fill: (drawer: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).first().click();
  const drawer = page.getByRole('dialog').last();
  await fill(drawer);
  await drawer.getByRole('button', { name, exact: true }).click();
  await expect(drawer).toHaveCount(0);
}

test('a room is asked for and agreed to, three answer and sign in on phones, and a decision of the minutes is supervised, returned and asks for more time', async ({
  page,
  browser,
  baseURL,
}) => {
  await openAlways(await caller(baseURL, 'admin'), '校办会务');
  const turn = turnsAt(page, baseURL);
  const again = String(test.info().retry);
  const [title, decision] = [`网络改造协调会${again}`, `寒假前完成布线${again}`];
  const start = soon();

  await turn('yao.lei');
  await page.goto(`/meet/day?date=${local(start).slice(0, 10)}`);
  await page.getByText('仅看空闲', { exact: true }).click();
  const free = page.getByRole('list', { name: '空闲时段' }).getByRole('listitem');
  await free.filter({ hasText: '第二会议室' }).getByRole('button').last().click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('开始时间').fill(local(start));
  await drawer.getByLabel('结束时间').fill(local(start + hour));
  await expect(drawer.getByText('可以预约，提交后须会务审批')).toBeVisible();
  await drawer.getByRole('button', { name: '填写会议申请' }).click();
  await expect(page.getByLabel('开始时间')).toHaveValue(local(start));
  await page.getByRole('button', { name: '提交申请' }).click();
  for (const label of ['会议名称', '主持人'])
    await expect(page.getByRole('button', { name: `${label}：请填写` })).toBeVisible();
  await page.getByLabel('会议名称').fill(title);
  await choose(page, page.getByLabel('主持人'), '梁志强', true);
  for (const who of ['卢嘉敏', '石宇飞', '钱伟民'])
    await choose(page, page.getByRole('combobox', { name: '人员', exact: true }), who, true);
  await page.keyboard.press('Escape');
  await choose(page, page.getByLabel('签到方式'), '动态码签到');
  await page.getByLabel('提前签到（分钟）').fill('240');
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(head(page)).toContainText('部门负责人审核');
  const address = new URL(page.url()).pathname;
  for (const who of ['liang.zhiqiang', 'qin.haoyu']) {
    await turn(who);
    await page.goto(address);
    await action(page, '同意').click();
    await expect(action(page, '同意')).toHaveCount(0);
  }
  await expect(head(page)).toContainText('待召开');

  const held = async (name: string) => enter(browser, baseURL, (await caller(baseURL, name)).token, phone);
  const phones = {
    卢嘉敏: await held('lu.jiamin'),
    石宇飞: await held('shi.yufei'),
    钱伟民: await held('qian.weimin'),
  };
  for (const his of Object.values(phones)) {
    await his.goto('/meet/attend');
    await his.getByRole('link', { name: title }).tap();
    await expect(his).toHaveURL(new RegExp(`${address}$`));
    await action(his, '参加').tap();
    await expect(his.getByRole('region', { name: '会议', exact: true })).toContainText('我的回复参加');
    expect(await wide(his)).toBeLessThanOrEqual(390);
  }

  await turn('yao.lei');
  await page.goto(address);
  await expect(page.getByRole('region', { name: '回执' })).toContainText('卢嘉敏');
  await page.getByRole('button', { name: '打开签到屏' }).click();
  for (const [name, his] of Object.entries(phones)) {
    const code = (await page.getByLabel('签到码', { exact: true }).textContent()) ?? '';
    await his.goto(address.replace('detail', 'sign'));
    await his.getByLabel('签到码').fill(code);
    await his.getByRole('button', { name: '签到' }).tap();
    await expect(his.getByText('已签到', { exact: true })).toBeVisible();
    expect(await wide(his)).toBeLessThanOrEqual(390);
    await expect(page.getByRole('list', { name: '最近签到' })).toContainText(name);
  }

  await page.goto(address);
  const minutes = page.getByRole('region', { name: '会议纪要' });
  await page.getByLabel('纪要内容').fill('会议同意改造方案。');
  await page.getByRole('button', { name: '增加决定事项' }).click();
  await page.getByLabel('决定事项 1').fill(decision);
  await choose(page, minutes.getByRole('combobox', { name: '责任人' }), '卢嘉敏', true);
  await page.getByLabel('时限 1').fill(local(start + 7 * 24 * hour).slice(0, 10));
  await page.getByRole('button', { name: '提交主持人确认' }).click();
  await expect(minutes).toContainText('待确认');
  await turn('liang.zhiqiang');
  await page.goto(address);
  await page.getByLabel('退回原因').fill('写明经费来源');
  await page.getByRole('button', { name: '退回修改' }).click();
  await turn('yao.lei');
  await page.goto(address);
  await expect(minutes).toContainText('主持人退回：写明经费来源');
  await page.getByLabel('纪要内容').fill('会议同意改造方案，经费从信息化专项列支。');
  await page.getByRole('button', { name: '提交主持人确认' }).click();
  await expect(minutes).toContainText('待确认');
  await turn('liang.zhiqiang');
  await page.goto(address);
  await page.getByRole('button', { name: '确认并发布' }).click();
  await expect(minutes).toContainText('已发布');
  await expect(minutes.getByText('经费从信息化专项列支')).toHaveCount(1);
  const lu = phones.卢嘉敏;
  await lu.getByRole('button', { name: '查看会议' }).tap();
  await expect(lu.getByRole('region', { name: '会议纪要' })).toContainText('姚磊整理，梁志强确认');

  await turn('qian.weimin');
  await page.goto(address);
  await minutes.getByRole('button', { name: '转督办' }).click();
  await minutes.getByRole('link', { name: /草稿$/ }).click();
  await action(page, '交办').click();
  await page.getByRole('dialog').getByRole('button', { name: '交办' }).click();
  await expect(head(page)).toContainText('办理中');
  const item = new URL(page.url()).pathname;

  await lu.goto('/supervise/task');
  await lu.getByRole('link', { name: decision }).first().tap();
  await supervised(lu, '反馈', async (form) => {
    await form.getByLabel('完成比例').fill('60');
    await form.getByLabel('已完成').fill('完成三层布线');
  });
  await page.goto(item);
  await supervised(page, '审核', async (form) => {
    await choose(page, form.getByLabel('结果'), '退回');
    await form.getByLabel('意见').fill('请附验收单');
  });
  await lu.reload();
  await expect(lu.getByText('请附验收单').first()).toBeVisible();
  const later = local(start + 20 * 24 * hour);
  await supervised(lu, '申请延期', async (form) => {
    await form.getByLabel('原因').fill('设备到货推迟');
    await form.getByLabel('目前进展').fill('三层已布线');
    await form.getByLabel('申请延至').fill(later);
  });
  expect(await wide(lu)).toBeLessThanOrEqual(390);
});

test('a weekly meeting leaves out the date its room is taken on, says why, and takes it once it is free', async ({
  page,
  baseURL,
}) => {
  const first = Date.parse(`${local(Date.now() + 24 * hour).slice(0, 10)}T${19 + test.info().retry}:30:00+08:00`);
  const clash = first + 7 * 24 * hour;
  const fan = await caller(baseURL, 'fan.zhengyang');
  const { rooms } = (await fan.ask('GET', `/api/meet/day/?date=${local(clash).slice(0, 10)}`)).data;
  const room = rooms.find((one: { name: string }) => one.name === '研讨室 301');
  const taken = await fan.ask('POST', '/api/meet/', {
    title: '博士论文预答辩',
    room_id: room.id,
    start_time: `${local(clash).replace('T', ' ')}:00`,
    end_time: `${local(clash + hour).replace('T', ' ')}:00`,
    host_id: (await fan.ask('GET', '/api/accounts/info/')).data.id,
    submit: true,
  });
  expect(taken, taken.msg).toMatchObject({ code: 0 });

  await turnsAt(page, baseURL)('lei.mengyao');
  await page.goto('/meet/new');
  await page.getByLabel('会议名称').fill(`教研室周会${test.info().retry}`);
  await page.getByLabel('开始时间').fill(local(first));
  await page.getByLabel('结束时间').fill(local(first + hour));
  await choose(page, page.getByRole('combobox', { name: '重复', exact: true }), '每周');
  await page.getByLabel('次数', { exact: true }).fill('3');
  await choose(page, page.getByLabel('会议室', { exact: true }), '研讨室 301');
  await choose(page, page.getByLabel('主持人'), '雷梦瑶', true);
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(head(page)).toContainText('待召开');
  const dates = page.getByRole('region', { name: '重复会议' });
  const dot = (at: number, state: string) =>
    dates.getByRole('link', { name: `${local(at).replace('T', ' ')} ${state}`, exact: true });
  await expect(dates.getByRole('link')).toHaveCount(3);
  await expect(dot(first, '待召开')).toBeVisible();
  await expect(dot(clash, '未安排')).toBeVisible();
  await expect(dates).toContainText(`未安排${local(clash).slice(5).replace('T', ' ')} `);

  const path = `/api/meet/${taken.data.id}/cancel/`;
  expect(await fan.ask('POST', path, { reason: '改期' })).toMatchObject({ code: 0 });
  await dates.getByRole('button', { name: '再次安排这 1 次' }).click();
  await expect(dot(clash, '待召开')).toBeVisible();
});
