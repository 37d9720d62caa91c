import { expect, type Locator, type Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { dropYear } from '#kernel/contract/moment.ts';
import { caller, enter, test, turnsAt } from './office.ts';

const minute = 60_000;
const hour = 3_600_000;
/** Local time in the form of a date and time field. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);
const head = (page: Page) => page.locator('.kit-detail-head');

async function choose(page: Page, select: Locator, option: string, typed = false): Promise<void> {
  await select.click();
  if (typed) await select.fill(option);
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

/** A participant may be busy at the hour of the test: the form is sent anyway. */
const sendAnyway = (page: Page) =>
  page.addLocatorHandler(page.getByRole('dialog').filter({ hasText: '当时有安排' }), (dialog) =>
    dialog.getByRole('button', { name: '提交申请' }).click(),
  );

test('a weekly meeting skips a date with a booked room, says why, takes it when free, and changes on all dates at once', async ({
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
  await sendAnyway(page);
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
  await expect(dates).toContainText(`未安排${dropYear(local(clash).replace('T', ' '), new Date())} `);

  const path = `/api/meet/${taken.data.id}/cancel/`;
  expect(await fan.ask('POST', path, { reason: '改期' })).toMatchObject({ code: 0 });
  await dates.getByRole('button', { name: '再次安排这 1 次' }).click();
  await expect(dot(clash, '待召开')).toBeVisible();

  // Changed at once for all future dates, each at its own time.
  await page.getByRole('button', { name: '修改会议', exact: true }).click();
  await page.getByLabel('议程').fill('每次先核对上次决定');
  await choose(page, page.getByLabel('修改范围'), '全部尚未召开的');
  await page.getByRole('button', { name: '保存修改' }).click();
  await expect(head(page)).toContainText('待召开');
  for (const at of [first, clash, clash + 7 * 24 * hour]) {
    await dot(at, '待召开').click();
    await expect(
      page.locator('main').getByText(local(at).replace('T', ' ')).filter({ visible: true }).first(),
    ).toBeVisible();
    await expect(page.getByRole('region', { name: '议程与材料' })).toContainText('每次先核对上次决定');
  }
});

/** The text that a phone reads from the code on the screen. */
async function scan(code: Locator): Promise<string> {
  const seen = await code.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [320, 320];
    const context = canvas.getContext('2d')!;
    context.drawImage(image, 0, 0, 320, 320);
    return [...context.getImageData(0, 0, 320, 320).data];
  });
  return decodeQR({ width: 320, height: 320, data: Uint8Array.from(seen) });
}

test('a meeting is requested, approved, signed in to on three phones, and its minutes are written, returned and published', async ({
  page,
  browser,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const keeper = (await (await caller(baseURL, 'qin.haoyu')).ask('GET', '/api/accounts/info/')).data.id;
  // Open at any hour, so that the test can run at any.
  const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
  const serial = String(Date.now() % 1e6);
  const office = await admin.ask('POST', '/api/meet/office/', {
    name: `信息楼会务${serial}`,
    managers: [keeper],
    open_hours: always,
    need_approve: true,
    min_ahead_min: 0,
    step_min: 5,
  });
  expect(office, office.msg).toMatchObject({ code: 0 });
  const room = `信息楼 ${serial}`;
  const made = await admin.ask('POST', '/api/meet/room/', { name: room, office_id: office.data.id, capacity: 20 });
  expect(made, made.msg).toMatchObject({ code: 0 });

  const turn = turnsAt(page, baseURL);
  const action = (name: string) => page.locator('footer[aria-label=操作]').getByRole('button', { name, exact: true });
  const start = Math.ceil(Date.now() / (5 * minute)) * 5 * minute + 5 * minute;
  await turn('bai.xue');
  await sendAnyway(page);
  await page.goto('/meet/new');
  await page.getByLabel('会议名称').fill(`实验室安全会${serial}`);
  await page.getByLabel('开始时间').fill(local(start));
  await page.getByLabel('结束时间').fill(local(start + hour));
  await choose(page, page.getByLabel('会议室', { exact: true }), room, true);
  await choose(page, page.getByLabel('主持人'), '宋明杰', true);
  for (const name of ['孔令伟', '范正阳', '邵依琳'])
    await choose(page, page.getByRole('combobox', { name: '人员', exact: true }), name, true);
  await page.keyboard.press('Escape');
  await choose(page, page.getByLabel('记录人'), '孔令伟', true);
  await choose(page, page.getByLabel('签到方式'), '动态码签到');
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(page).toHaveURL(/\/meet\/detail\/\d+/);
  const address = new URL(page.url()).pathname;
  for (const [who, step] of [
    ['song.mingjie', '部门负责人审核'],
    ['qin.haoyu', '会务审核'],
  ] as const) {
    await turn(who);
    await page.goto(address);
    await expect(head(page)).toContainText(step);
    await action('同意').click();
    await expect(action('同意')).toHaveCount(0);
  }

  const phoneOf = async (name: string) =>
    enter(browser, baseURL, (await caller(baseURL, name)).token, { viewport: { width: 390, height: 844 } });
  const phones = await Promise.all(['fan.zhengyang', 'shao.yilin', 'kong.lingwei'].map(phoneOf));
  const [fan, shao, kong] = phones as [Page, Page, Page];
  await turn('bai.xue');
  await page.goto(address);
  await page.getByRole('button', { name: '打开签到屏' }).click();
  const screen = page.getByRole('region', { name: '签到屏' });
  for (const phone of [fan, shao]) {
    const { pathname, search } = new URL(await scan(screen.getByAltText('签到二维码')), baseURL);
    await phone.goto(pathname + search);
    await expect(phone.getByText('已签到')).toBeVisible();
  }
  await kong.goto(address);
  await kong.getByLabel('签到码').fill(await screen.getByLabel('签到码', { exact: true }).innerText());
  await kong.getByRole('button', { name: '签到', exact: true }).click();
  await expect(kong.getByText('签到 3 / 4')).toBeVisible();
  await expect(screen.getByRole('status')).toContainText('已签到 3 / 4');
  await expect(screen.getByRole('list', { name: '最近签到' }).getByRole('listitem')).toHaveCount(3);

  // Four steps: the minute taker submits the minutes, the host returns them, they are submitted again and published.
  const minutes = page.getByRole('region', { name: '会议纪要' });
  const handIn = async (words: string) => {
    await minutes.getByLabel('纪要内容').fill(words);
    await minutes.getByRole('button', { name: '提交主持人确认' }).click();
    await expect(minutes).toContainText('待确认');
  };
  await turn('kong.lingwei');
  await page.goto(address);
  await minutes.getByRole('button', { name: '增加决定事项' }).click();
  await minutes.getByLabel('决定事项 1').fill('更换实验室门锁');
  await handIn('会议听取了安全检查情况。');
  await turn('song.mingjie');
  await page.goto(address);
  await minutes.getByLabel('退回原因').fill('请写明检查的范围');
  await minutes.getByRole('button', { name: '退回修改' }).click();
  await expect(minutes).toContainText('草拟');
  await turn('kong.lingwei');
  await page.goto(address);
  await expect(minutes.getByRole('alert')).toContainText('主持人退回：请写明检查的范围');
  await handIn('会议听取了全院实验室的安全检查情况。');
  await turn('song.mingjie');
  await page.goto(address);
  await minutes.getByRole('button', { name: '确认并发布' }).click();
  await expect(minutes).toContainText('已发布');

  await fan.goto(address);
  const read = fan.getByRole('region', { name: '会议纪要' });
  await expect(read).toContainText('会议听取了全院实验室的安全检查情况。');
  await expect(read).toContainText('孔令伟整理，宋明杰确认');
  await expect(read.getByRole('cell', { name: '更换实验室门锁' })).toBeVisible();
  expect(await fan.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
