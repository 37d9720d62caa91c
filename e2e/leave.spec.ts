import { expect } from '@playwright/test';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { caller, enter, test } from './office.ts';

/** Leave of somebody that has begun and was agreed to by everybody who is asked; returns its ticket. */
async function onLeave(origin: string | undefined, name: string, today: string): Promise<number> {
  const who = await caller(origin, name);
  const flows = await who.ask('GET', '/api/workflows/?per_page=100');
  const { id: workflow_id } = flows.data.value.find((flow: { name: string }) => flow.name === '请假申请');
  const asked = { kind: 'annual', from: dayAfter(today, -10), to: dayAfter(today, 10), reason: '休年假' };
  const begun = await who.ask('POST', '/api/tickets/', { workflow_id, transition_id: 2, ...asked });
  expect(begun).toMatchObject({ code: 0 });
  const { id } = begun.data as { id: number };
  for (let step = 0; step < 4; step += 1) {
    const { value } = (await who.ask('GET', `/api/tickets/${id}/`)).data;
    const [holder] = String(value.participant_info.participant).split(',');
    if (!holder) break;
    const decides = await caller(origin, holder);
    const { value: offers } = (await decides.ask('GET', `/api/tickets/${id}/transitions/`)).data;
    const { transition_id } = offers.find((offer: { code: string }) => offer.code === 'approve');
    expect(await decides.ask('PATCH', `/api/tickets/${id}/`, { transition_id, suggestion: '同意' })).toMatchObject({
      code: 0,
    });
  }
  return id;
}

const ways = [
  { at: 'a desk', name: 'qin.haoyu', look: {} },
  { at: 'a phone', name: 'zhao.yan', look: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
];
for (const { at, name, look } of ways)
  test(`an early return from leave is recorded at ${at}: the day and time are shown, and the button is gone`, async ({
    browser,
    baseURL,
  }) => {
    const today = dayOf(new Date());
    const id = await onLeave(baseURL, name, today);
    const { token } = await caller(baseURL, name);
    const page = await enter(browser, baseURL, token, look);
    await page.goto(`/ticket/detail/${id}`);
    await page.getByRole('button', { name: '销假' }).click();
    const form = page.getByRole('dialog', { name: '销假' });
    await expect(form.getByLabel('返岗日期')).toHaveValue(today);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      page.viewportSize()!.width,
    );
    // After the end nothing is left to end: the form says so and stays.
    await form.getByLabel('返岗日期').fill(dayAfter(today, 20));
    await form.getByRole('button', { name: '销假' }).click();
    await expect(form).toContainText('按时返岗的不用销假');
    await form.getByLabel('返岗日期').fill(today);
    await form.getByRole('radio', { name: '上午' }).check();
    await form.getByRole('button', { name: '销假' }).click();
    await expect(page.getByText(`已于 ${today} 上午返岗，此后不再计为请假`)).toBeVisible();
    await expect(page.getByRole('button', { name: '销假' })).toHaveCount(0);
    await page.context().close();
  });
