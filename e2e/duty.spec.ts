import { expect } from '@playwright/test';
import { caller, signIn, test } from './office.ts';

test('the office makes a month of duty in one step, sees how the points come out, and publishes it', async ({
  page,
}) => {
  await signIn(page, 'zhao.yan');
  await page.goto('/schedule/duty');
  await expect(page.getByRole('region', { name: '值班表' })).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: '下个月' }).click();
  await page.getByRole('button', { name: '下个月' }).click();
  await page.getByRole('button', { name: '自动排班' }).click();
  await page.getByRole('button', { name: '排班', exact: true }).last().click();
  await expect(page.getByText('各人积分，排班前后')).toBeVisible();
  await page.getByRole('dialog').filter({ hasText: '各人积分' }).getByRole('button', { name: '排班' }).click();
  await expect(page.getByText(/未发布 \d+/)).toBeVisible();

  // Whoever leads the first week and whoever leads the third exchange a day: dragged, then by keyboard.
  const lead = (day: string) => page.getByRole('button', { name: new RegExp(`-${day} 带班领导`) });
  const named = async (day: string) => (await lead(day).textContent())!;
  const exchanged = async (one: string, other: string, how: () => Promise<void>) => {
    const before = [await named(one), await named(other)];
    expect(before[0]).not.toBe(before[1]);
    await how();
    const drawer = page.getByRole('dialog', { name: '对换值班' });
    await expect(drawer).toContainText('对换；已发布的');
    await drawer.getByRole('button', { name: '对换' }).click();
    await expect(drawer).toHaveCount(0);
    await expect(lead(one)).toHaveText(before[1]!);
    await expect(lead(other)).toHaveText(before[0]!);
  };
  await exchanged('03', '17', () => lead('03').dragTo(lead('17')));
  await exchanged('04', '18', async () => {
    await lead('04').focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('方向键移动，空格确定')).toBeVisible();
    for (let steps = 0; steps < 120; steps++) {
      if (await lead('18').evaluate((one) => one === document.activeElement)) break;
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Space');
  });

  await page.getByRole('button', { name: '发布', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '发布' }).click();
  await expect(page.getByText(/未发布 \d+/)).toHaveCount(0);
  await page.getByRole('tab', { name: '换班申请' }).click();
  await page.getByRole('tab', { name: '方案' }).click();
  await expect(page.getByText('总值班').first()).toBeVisible();
  await page.getByText('总值班').first().click();
  await expect(page.getByText('带班按周轮换')).toBeVisible();
  await page.getByRole('button', { name: '取消' }).last().click();
  await page.getByRole('tab', { name: '统计' }).click();
  await expect(page.getByText('各人值班')).toBeVisible();
  await page.goto('/index');
  await expect(page.getByRole('region', { name: '今日值班' })).toBeVisible();
  await page.goto('/schedule/index');
  await expect(page.getByRole('rowheader', { name: '值班' })).toBeVisible();
});

test('whoever is asked for a swap agrees to it on the phone in one tap', async ({ browser, baseURL }) => {
  const office = await caller(baseURL, 'zhao.yan');
  const { data } = await office.ask('GET', '/api/leader/duty/swap/?category=all');
  const [open] = (
    data as { value: { id: number; shift_id: number; with_name: string; day: string; state: number }[] }
  ).value.filter((one) => one.state === 1);
  const month = (await office.ask('GET', `/api/leader/duty/?month=${open!.day.slice(0, 7)}`)).data as {
    days: { shifts: { people: { alias: string; username: string }[] }[] }[];
  };
  const asked = month.days
    .flatMap((one) => one.shifts)
    .flatMap((one) => one.people)
    .find((one) => one.alias === open!.with_name)!;
  const phone = await (
    await browser.newContext({
      ...(baseURL ? { baseURL } : {}),
      locale: 'zh-CN',
      viewport: { width: 390, height: 844 },
    })
  ).newPage();
  await signIn(phone, asked.username);
  await phone.goto('/index');
  await phone.getByRole('link', { name: /^换班待答复/ }).click();
  await phone.getByRole('button', { name: '同意', exact: true }).click();
  await expect(phone.getByText('待办公室确认')).toBeVisible();
});
