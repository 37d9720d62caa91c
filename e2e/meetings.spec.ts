import { expect, type Locator, type Page } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

const hour = 3_600_000;
/** Local time, as a field of date and time has it. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);
const head = (page: Page) => page.locator('.kit-detail-head');

async function choose(page: Page, select: Locator, option: string, typed = false): Promise<void> {
  await select.click();
  if (typed) await select.fill(option);
  await page.locator('.ant-select-item-option').filter({ hasText: option, visible: true }).first().click();
}

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
