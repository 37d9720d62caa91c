import { expect } from '@playwright/test';
import { caller, enter, signIn, tab, test } from './office.ts';

const narrow = { locale: 'zh-CN', viewport: { width: 390, height: 844 } };

test('the office makes a month of duty in one step, sees the resulting points, and publishes it', async ({ page }) => {
  await signIn(page, 'zhao.yan');
  await page.goto('/schedule/duty');
  await expect(page.getByRole('region', { name: '值班表' })).toBeVisible();
  await page.getByRole('button', { name: '下个月' }).click();
  await page.getByRole('button', { name: '下个月' }).click();
  await page.getByRole('button', { name: '自动排班' }).click();
  await page.getByRole('button', { name: '排班', exact: true }).last().click();
  await expect(page.getByText('各人积分，排班前后')).toBeVisible();
  await page.getByRole('dialog').filter({ hasText: '各人积分' }).getByRole('button', { name: '排班' }).click();
  await expect(page.getByText(/未发布 \d+/)).toBeVisible();

  // The leaders of the first and the third week exchange a day: by dragging, then by keyboard.
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
  // Its swaps, which also name the plan, stay on the page until the plans are loaded.
  const plans = page.getByRole('tabpanel', { name: '方案' });
  await plans.getByText('总值班').first().click();
  const plan = page.getByRole('dialog');
  await expect(plan.getByText('带班按周轮换')).toBeVisible();
  await plan.getByRole('button', { name: '取消' }).click();
  await expect(plan).toHaveCount(0);
  await page.getByRole('tab', { name: '统计' }).click();
  await expect(page.getByText('各人值班')).toBeVisible();
  await page.goto('/index');
  await expect(page.getByRole('region', { name: '今日值班' })).toBeVisible();
  await page.goto('/schedule/index');
  await expect(page.getByRole('rowheader', { name: '值班' })).toBeVisible();
});

test('the roster of this month shows today, on a wide screen and on a phone', async ({ browser, baseURL }) => {
  const office = await caller(baseURL, 'zhao.yan');
  const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);
  const { data } = await office.ask('GET', `/api/leader/duty/?month=${month}`);
  const roster = data.days as { day: string; shifts: object[] }[];
  const last = roster.findLast(({ shifts }) => shifts.length > 0)!.day;
  for (const look of [{}, narrow]) {
    const page = await enter(browser, baseURL, office.token, look);
    await page.clock.setFixedTime(new Date(`${last}T10:00:00+08:00`));
    await page.goto('/schedule/duty');
    const today = page.locator('.duty-month > [data-today]');
    await expect(today).toBeInViewport({ ratio: 0.9 });
  }

  // A day that the bar at the bottom of a phone would cover is scrolled above it.
  const first = roster.find(({ shifts }) => shifts.length > 0)!.day;
  const phone = await enter(browser, baseURL, office.token, narrow);
  await phone.clock.setFixedTime(new Date(`${first}T10:00:00+08:00`));
  await phone.goto('/schedule/duty');
  const covered = phone.locator('.duty-month > [data-today]');
  await expect(covered).toBeVisible();
  const end = await covered.evaluate((one) => {
    one.closest('main')!.scrollTo(0, 0);
    return one.getBoundingClientRect().bottom;
  });
  await phone.setViewportSize({ width: narrow.viewport.width, height: Math.ceil(end) + 8 });
  await phone.reload();
  await expect(covered).toBeInViewport({ ratio: 0.9 });

  // A person who scrolled away finds the page as it was.
  const page = await enter(browser, baseURL, office.token);
  await page.goto('/schedule/duty');
  const days = page.locator('main:visible', { has: page.locator('.duty-month') });
  await expect(days).toBeVisible();
  await days.evaluate((one) => one.scrollTo(0, 40));
  await tab(page, '首页').click();
  await expect(days).toBeHidden();
  await tab(page, '值班安排').click();
  await expect.poll(() => days.evaluate((one) => one.scrollTop)).toBe(40);
});

test('a person asked for a swap finds it among the waiting items on a phone and accepts it with one tap', async ({
  browser,
  baseURL,
}) => {
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
  const phone = await enter(browser, baseURL, (await caller(baseURL, asked.username)).token, narrow);
  await phone.goto('/index');
  // Items that are due sooner stand above it: the person's duty is one of the waiting kinds.
  await phone.getByRole('button', { name: /^我的值班 \d/ }).click();
  await phone.getByRole('link', { name: /^换班待答复/ }).click();
  await phone.getByRole('button', { name: '同意', exact: true }).click();
  await expect(phone.getByText('待办公室确认')).toBeVisible();
});

test('a holiday’s duty is made in one step, and one day is swapped with the consent of the colleague and the office', async ({
  page,
  browser,
  baseURL,
}) => {
  // Separate days, far from those of the other rosters, which the office makes holidays.
  const later = (days: number) => new Date(Date.now() + (150 + days) * 86_400_000).toISOString().slice(0, 10);
  const days = [0, 1, 2].map(later);
  const admin = await caller(baseURL, 'admin');
  for (const day of days)
    expect(await admin.ask('PUT', `/api/calendars/${day}/`, { works: false, name: '校庆假期' })).toMatchObject({
      code: 0,
    });
  const office = await caller(baseURL, 'zhao.yan');
  const names = ['bai.xue', 'lin.xiaoyue', 'he.jing', 'sun.meiqi'];
  const team = new Map<string, { id: number; alias: string }>();
  for (const name of names)
    team.set(name, (await (await caller(baseURL, name)).ask('GET', '/api/accounts/info/')).data);
  const users = [...team.values()].map((one) => one.id);
  const name = `假期班${Date.now() % 1e6}`;
  const plan = await office.ask('POST', '/api/leader/duty/plan/', { name, lead_need: 0, staff: { users } });
  expect(plan, plan.msg).toMatchObject({ code: 0 });
  const made = await office.ask('POST', '/api/leader/duty/', { plan_id: plan.data.id, from: days[0], to: days[2] });
  expect(made, made.msg).toMatchObject({ code: 0, data: { gaps: [] } });
  for (const month of new Set(days.map((day) => day.slice(0, 7))))
    await office.ask('POST', '/api/leader/duty/publish/', { month, plan_id: plan.data.id, force: true });
  const shifts = (made.data.days as { shifts: { id: number; name: string; people: { username: string }[] }[] }[])
    .flatMap((one) => one.shifts)
    .filter((one) => one.name === name);
  const shift = shifts[1]!;
  const has = shift.people[0]!.username;
  const other = names.find((one) => !shifts.some(({ people }) => people.some((person) => person.username === one)))!;
  const asked = await (
    await caller(baseURL, has)
  ).ask('POST', `/api/leader/duty/${shift.id}/swap/`, {
    with: other,
    reason: '家中有事',
  });
  expect(asked, asked.msg).toMatchObject({ code: 0, data: { state: 1 } });

  const phone = await enter(browser, baseURL, (await caller(baseURL, other)).token, narrow);
  await phone.goto(`/schedule/duty/detail/${shift.id}`);
  const swap = phone.getByRole('region', { name: '换班', exact: true });
  await swap.getByRole('button', { name: '同意', exact: true }).click();
  await expect(swap).toContainText('待办公室确认');
  // No error may appear before the month of the shift is known.
  await expect(phone.getByText('月份：请填写')).toHaveCount(0);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);

  await signIn(page, 'zhao.yan');
  await page.goto(`/schedule/duty/detail/${shift.id}`);
  await page.getByRole('button', { name: '确认', exact: true }).click();
  await expect(page.getByRole('region', { name: '换班', exact: true })).toContainText('已换班');
  await expect(page.getByRole('region', { name: '值班人员' })).toContainText(team.get(other)!.alias);
  await page.goto(`/schedule/duty?month=${days[1]!.slice(0, 7)}`);
  const board = page.getByRole('region', { name: '值班表' });
  await expect(board.getByText('校庆假期').first()).toBeVisible();
  await expect(
    board.getByRole('button', { name: new RegExp(`${days[1]} 值班员 ${team.get(other)!.alias}`) }),
  ).toBeVisible();
});
