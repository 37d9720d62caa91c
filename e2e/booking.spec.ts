import { expect, type Page } from '@playwright/test';
import { caller, enter, test, turnsAt } from './office.ts';

const day = 86_400_000;
/** A Wednesday so many weeks from now. */
function wednesday(weeks: number): string {
  const at = new Date(Date.now() + 8 * 3_600_000 + weeks * 7 * day);
  return new Date(at.getTime() + (3 - (at.getUTCDay() || 7)) * day).toISOString().slice(0, 10);
}
/** In the visible page: those of other tabs stay behind it. */
const head = (page: Page) => page.locator('.kit-detail-head').filter({ visible: true });
const always = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };

test('a room is booked from its week by a title only, with a warning of its host’s clash, repeated, and dragged to another hour', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const keeper = (await (await caller(baseURL, 'qin.haoyu')).ask('GET', '/api/accounts/info/')).data.id;
  const serial = String(Date.now() % 1e6);
  const office = await admin.ask('POST', '/api/meet/office/', {
    name: `预约会务${serial}`,
    managers: [keeper],
    open_hours: always,
    need_approve: false,
    min_ahead_min: 0,
    max_ahead_days: 60,
    step_min: 5,
  });
  expect(office, office.msg).toMatchObject({ code: 0 });
  const name = `预约室 ${serial}`;
  const room = await admin.ask('POST', '/api/meet/room/', { name, office_id: office.data.id, capacity: 12 });
  expect(room, room.msg).toMatchObject({ code: 0 });

  const on = wednesday(6);
  const title = `项目碰头${serial}`;
  await turnsAt(page, baseURL)('bai.xue');
  await page.goto(`/meet/week/${room.data.id}?date=${on}`);
  await expect(page.getByRole('heading', { name: `${name}的一周` })).toBeVisible();
  await page.getByText('仅看空闲').click();
  const free = page
    .getByRole('list', { name: '空闲时段' })
    .getByRole('listitem')
    .filter({ hasText: on.slice(5) });
  await free.getByRole('button').first().click();
  await page.getByRole('button', { name: '填写会议申请' }).click();
  await expect(page).toHaveURL(/\/meet\/book\?/);
  await page.getByLabel('会议名称').fill(title);
  await page.getByLabel('开始时间').fill(`${on}T09:00`);
  await page.getByLabel('结束时间').fill(`${on}T10:00`);
  await page.getByRole('button', { name: /^预\s?约$/ }).click();
  await expect(head(page)).toContainText('待召开');
  await expect(page.getByText(`${on} 09:00–10:00`).first()).toBeVisible();

  // The host is busy at the same hour, and the page offers a free one.
  await page.goto(`/meet/book?title=${encodeURIComponent(`另一场${serial}`)}`);
  await page.getByLabel('开始时间').fill(`${on}T09:00`);
  await page.getByLabel('结束时间').fill(`${on}T10:00`);
  await page.getByRole('button', { name: /^更\s?多$/ }).click();
  await expect(page.getByLabel('会议名称')).toHaveValue(`另一场${serial}`);
  const marks = page.getByRole('group', { name: '人员忙闲' });
  await expect(marks).toContainText(`有安排白雪`);
  await expect(marks).toContainText(title);
  await page.getByLabel('其他地点').fill('一楼大厅');
  await page.getByRole('button', { name: '提交申请' }).click();
  const warned = page.getByRole('dialog').filter({ hasText: '有 1 人当时有安排' });
  await warned.getByRole('button', { name: '再看看' }).click();
  await marks.getByRole('button').first().click();
  await expect(marks).toContainText('空闲白雪');
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(head(page)).toContainText('待召开');

  // Booked again a week later; the same room is free then and is filled in.
  const { value } = (await (await caller(baseURL, 'bai.xue')).ask('GET', `/api/meet/calendar/?start=${on}&end=${on}`))
    .data;
  const first = value.find((one: { title: string }) => one.title === title);
  await page.goto(`/meet/detail/${first.id}`);
  await page.getByRole('button', { name: '再次召开' }).click();
  await expect(page.getByLabel('会议名称')).toHaveValue(title);
  await expect(page.getByText('可以使用，提交后即可使用')).toBeVisible();
  await page.getByRole('button', { name: '提交申请' }).click();
  await expect(head(page)).toContainText('待召开');
  const again = wednesday(7);
  await expect(page.getByText(`${again} 09:00–10:00`).filter({ visible: true }).first()).toBeVisible();

  // Dragged to two hours later, with a confirmation first.
  await page.goto(`/meet/calendar?scope=mine&date=${again}`);
  await page.getByText('周', { exact: true }).click();
  const entry = page.locator('.ec-event').filter({ hasText: title });
  await expect(entry).toContainText('09:00');
  const box = (await entry.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 10 + box.height, { steps: 8 });
  await page.mouse.move(box.x + box.width / 2, box.y + 10 + 2 * box.height, { steps: 8 });
  await page.mouse.up();
  const asked = page.getByRole('dialog').filter({ hasText: `移动“${title}”` });
  await expect(asked).toContainText(`由 ${again} 09:00–10:00 改为 ${again} 11:00–12:00`);
  await asked.getByRole('button', { name: /^移\s?动$/ }).click();
  await expect(entry).toContainText('11:00');
});

test('on a machine in another zone the calendar marks the house’s hour and day as the present ones', async ({
  browser,
  baseURL,
}) => {
  const { token } = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, token, { timezoneId: 'Pacific/Honolulu' });
  // There it is 14:00 of the day before.
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
  await page.clock.setFixedTime(new Date(`${today}T10:00:00+08:00`));
  await page.goto(`/meet/day?date=${today}`);
  await page.getByRole('combobox', { name: '会务单位' }).waitFor();
  const line = page.locator('.ec-now-indicator');
  const ten = page.locator('.ec-sidebar time', { hasText: '10:00' });
  await expect(line).toHaveCount(1);
  await expect
    .poll(async () => Math.abs((await line.boundingBox())!.y - (await ten.boundingBox())!.y))
    .toBeLessThan(24);
  await page.goto('/meet/calendar');
  await expect(page.locator('.ec-day.ec-today > .ec-day-head')).toContainText(String(Number(today.slice(8))));
});

test('on a phone a room is booked from its week by buttons, and nothing is wider than the screen', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await turnsAt(page, baseURL)('lei.mengyao');
  const { value } = (await (await caller(baseURL, 'lei.mengyao')).ask('GET', '/api/meet/room/simple/')).data;
  await page.goto(`/meet/week/${value[0].value}?date=${wednesday(2)}`);
  await expect(page.getByRole('list', { name: '空闲时段' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto('/meet/book');
  await expect(page.getByLabel('会议名称')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
