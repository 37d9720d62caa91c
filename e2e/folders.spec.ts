import { expect } from '@playwright/test';
import { caller, test, turnsAt } from './office.ts';

test('a regulation for a department is confirmed by half of it, and its manager sees and urges the others', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  const mine = (await admin.ask('GET', '/api/accounts/users/simple/?search_value=wang.liping')).data[0];
  const people = (await admin.ask('GET', `/api/accounts/users/simple/?dept=${mine.dept_id}&limit=20`)).data as {
    username: string;
    alias: string;
  }[];
  const [category] = (await admin.ask('GET', '/api/folder/category/')).data;
  const title = '防汛值守办法';
  const made = await admin.ask('POST', '/api/folder/papers/', {
    title,
    category_id: category.id,
    dept: mine.dept_id,
    publish_date: '2026-11-20',
    content: '一、到岗\n值守人员按时到岗，发现险情立即报告。',
    scope: { depts: [mine.dept_id] },
    must_read: true,
    status: 1,
  });
  expect(made).toMatchObject({ code: 0 });

  const half = people.slice(0, Math.floor(people.length / 2));
  const rest = people.slice(half.length);
  const turn = turnsAt(page, baseURL);
  for (const { username } of half) {
    await turn(username);
    await page.goto(`/folder/detail/${made.data.id}`);
    await page.getByRole('button', { name: '确认已读' }).click();
    await expect(page.getByText(/您已于 .* 确认已读/)).toBeVisible();
  }

  await turn('admin');
  await page.goto(`/folder/detail/${made.data.id}`);
  const reading = page.getByRole('region', { name: '阅读情况' });
  for (const [label, count] of [
    ['应读', people.length],
    ['已读', half.length],
    ['未确认', rest.length],
    ['已确认', half.length],
  ] as const)
    await expect(reading.locator('dl > div').filter({ hasText: label })).toContainText(String(count));
  const line = reading.getByRole('listitem').filter({ hasText: mine.dept_name });
  const [late, others] = [line.getByText(`未确认 ${rest.length} 人`), line.getByText(`已确认 ${half.length} 人`)];
  for (const { alias } of half) await expect(others).toContainText(alias);
  for (const { alias } of rest) await expect(late).toContainText(alias);
  await reading.getByRole('button', { name: '催读未读人员' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '催读未读人员' }).click();
  await expect(page.getByText('已提醒未读人员')).toBeVisible();

  const told = async (who: typeof admin) =>
    ((await who.ask('GET', '/api/msg/user/unread/')).data.value as { title: string }[]).map((one) => one.title);
  for (const { username } of rest)
    expect(await told(await caller(baseURL, username))).toContain(`请尽快阅读：${title}`);
  for (const { username } of half)
    expect(await told(await caller(baseURL, username))).not.toContain(`请尽快阅读：${title}`);
});
