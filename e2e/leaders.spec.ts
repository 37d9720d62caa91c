import { expect } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

const hour = 3_600_000;
/** Local time, as a field of date and time has it. */
const local = (at: number) => new Date(at + 8 * hour).toISOString().slice(0, 16);

test('a week is gathered from a meeting, published, changed, seen as changed, and printed', async ({
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
  await expect(page.getByRole('dialog').getByRole('button', { name: '下载' })).toBeEnabled({ timeout: 60_000 });
});
