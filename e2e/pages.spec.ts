import { expect, type Page } from '@playwright/test';
import { caller, fillRepair, handOver, stand, tab, test, type Caller } from './office.ts';

// The tests are independent of each other.
test.describe.configure({ mode: 'parallel' });

const submit = (page: Page) => page.getByRole('button', { name: '提交信息化服务' });
const listed = async (who: Caller, title: string) =>
  (await who.ask('GET', `/api/tickets/?category=owner&search_value=${encodeURIComponent(title)}`)).data.total as number;

async function writeRepair(page: Page, title: string): Promise<void> {
  await stand(page, '/ticket/new');
  await page.getByRole('button', { name: /^信息化服务/ }).click();
  await fillRepair(page, title);
}

test('a submitted form cannot be pressed again: its tab becomes the ticket, and one draft makes one ticket', async ({
  page,
  baseURL,
}) => {
  const qin = await caller(baseURL, 'qin.haoyu');
  await handOver(page, qin.token);
  const title = '窗户关不上';
  await writeRepair(page, title);
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:ticket-new')).length),
    )
    .toBe(1);
  // The same draft in a second window, which is open when the first one is sent.
  const other = await page.context().newPage();
  await stand(other, '/ticket/new');
  await other.getByRole('button', { name: /^信息化服务/ }).click();
  await other.getByRole('button', { name: '恢复草稿' }).click();
  await expect(other.getByLabel('标题')).toHaveValue(title);

  await submit(page).click();
  await expect(page).toHaveURL(/\/ticket\/detail\/\d+/);
  const address = page.url();
  await expect(tab(page, title)).toBeVisible();
  await expect(page.getByRole('tab')).toHaveCount(2);
  await expect(submit(page)).toHaveCount(0);
  await page.goBack();
  await expect(submit(page)).toHaveCount(0);

  await submit(other).click();
  await expect(other).toHaveURL(address);
  expect(await listed(qin, title)).toBe(1);
});

test('a waiting document opens with its text from the waiting items, the list and its ticket’s address', async ({
  page,
  baseURL,
}) => {
  const drafter = await caller(baseURL, 'shen.lijuan');
  const title = '关于食堂夜间供餐的请示';
  const body = { doc_kind: 3, title, doc_type: 11, level: 2, body_html: '<p>拟延长供餐至二十一时。</p>', submit: true };
  const made = await drafter.ask('POST', '/api/document/', body);
  expect(made).toMatchObject({ code: 0 });
  const { ticket_id } = (await drafter.ask('GET', `/api/document/${made.data.id}/`)).data.value;
  const row = (await drafter.ask('GET', `/api/tickets/${ticket_id}/`)).data.value;
  const [handler] = row.participant_info.participant.split(',');
  await handOver(page, (await caller(baseURL, handler)).token);
  const text = page.getByText('拟延长供餐至二十一时');

  await stand(page, `/ticket/detail/${ticket_id}`);
  await expect(page).toHaveURL(new RegExp(`/document/detail/${made.data.id}$`));
  await expect(text.first()).toBeVisible();
  await page.goto(`/ticket/duty?search_value=${encodeURIComponent(title)}`);
  // The tag with the remaining time is shown in full in both lists.
  for (const list of ['ticket/duty', 'document/list']) {
    await page.goto(`/${list}?search_value=${encodeURIComponent(title)}`);
    const cell = page.locator('.ant-table-row td', { hasText: /正常|即将到期/ });
    await expect(cell).toBeVisible();
    expect(await cell.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);
  }
  await page.goto(`/ticket/duty?search_value=${encodeURIComponent(title)}`);
  await page.getByRole('link', { name: new RegExp(`${title}$`) }).click();
  await expect(page).toHaveURL(new RegExp(`/document/detail/${made.data.id}$`));
  await expect(text.first()).toBeVisible();
  await page.goto(`/todo?search_value=${encodeURIComponent(title)}`);
  const waiting = page.getByRole('region', { name: '待办' }).getByRole('link', { name: title, exact: true });
  await expect(waiting).toHaveAttribute('href', `/document/detail/${made.data.id}`);
});

test('a page whose program failed to load appears on a retry, without a reload', async ({ page, baseURL }) => {
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await stand(page);
  await page.evaluate(() => Object.assign(window, { stayed: true }));
  await page.waitForLoadState('networkidle');
  let gone = true;
  // A part that the page itself needs is lost, too; what the home page still requests arrives.
  const role = /\/system\/role$/;
  await page.route(/\/assets\/.*\.js/, (route) => (gone && role.test(page.url()) ? route.abort() : route.continue()));
  await page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name: '系统管理' }).click();
  await page.getByRole('navigation', { name: '系统管理' }).getByRole('link', { name: '角色管理' }).click();
  await expect(page).toHaveURL(role);
  const again = page.getByRole('main').getByRole('button', { name: '重试' });
  await expect(again).toBeVisible();
  gone = false;
  await again.click();
  await expect(page.getByRole('heading', { name: '角色管理' })).toBeVisible();
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
});

test('a server’s refusal of a form is shown and focused, also the first time', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1000, height: 420 });
  await handOver(page, (await caller(baseURL, 'qin.haoyu')).token);
  await writeRepair(page, '门锁坏了');
  await page.route('**/api/tickets/', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ json: { code: 4010, msg: '今天已经发起过 3 次', data: null } })
      : route.continue(),
  );
  await page.getByLabel('说明').press('End');
  await submit(page).click();
  const told = page.locator('.kit-trouble').filter({ hasText: '今天已经发起过 3 次' });
  await expect(told).toBeFocused();
  await expect(told).toBeInViewport();
  await expect(page.getByLabel('标题')).toHaveValue('门锁坏了');
});

test('with many tabs the active one and its close button are on the screen', async ({ page, baseURL }) => {
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.goto('/index');
  const paths = [
    'user',
    'role',
    'menu',
    'dept',
    'button',
    'log',
    'site',
    'delivery',
    'wf',
    'login',
    'interface',
    'docs',
  ];
  await page.evaluate(
    (all) =>
      localStorage.setItem(
        'tagsView',
        JSON.stringify({
          visitedViews: all.map((one) => ({
            path: `/system/${one}`,
            fullPath: `/system/${one}`,
            title: `很长的标签标题${one}`,
            name: '',
            affix: false,
          })),
        }),
      ),
    paths,
  );
  await stand(page, '/system/role');
  await stand(page, '/system/delivery');
  const active = page.locator('.tab[data-active=true]');
  await expect(active.locator('.tab-close')).toBeInViewport({ ratio: 1 });
  await expect(active.getByRole('tab')).toBeInViewport({ ratio: 1 });
});
