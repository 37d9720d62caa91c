import { expect, type BrowserContext, type Page } from '@playwright/test';
import { caller, firstLevel, goTo, handOver, tab, test, type Caller } from './office.ts';

let admin: Caller;
// Each test has its own page; the cached files stay.
let window: BrowserContext;
let page: Page;
const made: number[] = [];

test.beforeAll(async ({ browser }, info) => {
  window = await browser.newContext({ baseURL: info.project.use.baseURL });
});
test.beforeEach(async ({ baseURL }) => {
  admin = await caller(baseURL, 'admin');
  page = await window.newPage();
  await handOver(page, admin.token);
});
test.afterAll(() => window.close());
test.afterEach(async () => {
  await page.close();
  for (const id of made.splice(0)) await admin.ask('DELETE', `/api/accounts/menu/${id}/`);
});

interface Row {
  id: number;
  name: string;
  parent: number | null;
  roles?: string[];
}
const rows = async () => (await admin.ask('GET', '/api/accounts/menu/')).data as Row[];
const idOf = async (name: string) => (await rows()).find((row) => row.name === name)?.id as number;

async function addMenu(name: string, web_path: string, more: Record<string, unknown> = {}): Promise<void> {
  const answer = await admin.ask('POST', '/api/accounts/menu/', { name, web_path, visible: true, ...more });
  expect(answer).toMatchObject({ code: 0 });
  made.push(await idOf(name));
}

test('a menu’s external link opens in a new tab and leaves the office where it was', async () => {
  await addMenu('学校官网', 'https://school.example/about', { is_link: true });
  await page.context().route('https://school.example/**', (route) => route.fulfill({ body: 'outside' }));
  await page.goto('/system/role');
  const opened = page.context().waitForEvent('page');
  await firstLevel(page, '学校官网').click();
  await expect(await opened).toHaveURL('https://school.example/about');
  await expect(page).toHaveURL(/\/system\/role/);
});

test('a menu entry with the redirect prefix leads to the path without it', async () => {
  await addMenu('角色捷径', '/redirect/system/role');
  await page.goto('/index');
  await firstLevel(page, '角色捷径').click();
  await expect(page).toHaveURL(/\/system\/role$/);
  await expect(tab(page, '角色管理')).toHaveAttribute('aria-selected', 'true');
});

test('a path with a parameter belongs to the menu entry matching up to the colon, and opens even if that is hidden', async () => {
  await addMenu('人员卡片', 'card/:id', {
    parent: await idOf('系统管理'),
    component: 'system/button',
    visible: false,
  });
  await page.goto('/system/card/17');
  await expect(page).toHaveTitle('人员卡片 - 工单系统');
  await expect(tab(page, '人员卡片')).toHaveAttribute('aria-selected', 'true');
  await expect(firstLevel(page, '系统管理')).toHaveAttribute('aria-current', 'true');
  const second = page.getByRole('navigation', { name: '系统管理' });
  await expect(second.getByRole('link', { name: '角色管理' })).toBeVisible();
  await expect(second.getByRole('link', { name: '人员卡片' })).toHaveCount(0);
});

test('a menu entry whose only child is hidden by its meta leads there at once', async () => {
  await addMenu('值班', '/onduty');
  await addMenu('值班表', 'list', {
    parent: await idOf('值班'),
    component: 'system/button',
    meta: { show: false },
  });
  made.reverse();
  await page.goto('/index');
  await firstLevel(page, '值班').click();
  await expect(page).toHaveURL(/\/onduty\/list$/);
  await expect(tab(page, '值班表')).toHaveAttribute('aria-selected', 'true');
});

test('menu entries of other roles are missing together with their routes, and an entry without roles is for everybody', async () => {
  const roles: Record<string, string[]> = { 角色管理: ['nobody-holds'], 菜单管理: ['reception'] };
  await page.route('**/api/accounts/menu/web_router/**', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: Row[] };
    for (const row of answer.data) if (roles[row.name]) row.roles = roles[row.name];
    await route.fulfill({ json: answer });
  });
  await page.goto('/index');
  await firstLevel(page, '系统管理').click();
  const second = page.getByRole('navigation', { name: '系统管理' });
  await expect(second.getByRole('link', { name: '菜单管理' })).toBeVisible();
  await expect(second.getByRole('link', { name: '用户管理' })).toBeVisible();
  await expect(second.getByRole('link', { name: '角色管理' })).toHaveCount(0);
  await page.goto('/system/role');
  await expect(page).toHaveURL(/\/404$/);
});

test('a page is kept while another is shown, unless its menu says to reload it', async () => {
  const search = page.getByRole('textbox', { name: '搜索部门' });
  const away = async () => {
    await search.fill('教务');
    await goTo(page, '系统管理', '角色管理');
    await tab(page, '部门管理').click();
  };
  await page.goto('/system/dept');
  await away();
  await expect(search).toHaveValue('教务');

  const id = await idOf('部门管理');
  await page.goto('/system/menu');
  await page.getByRole('button', { name: '部门管理' }).click();
  await page.getByRole('checkbox', { name: '每次打开都重新载入' }).check();
  await page.getByRole('button', { name: '保存菜单' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.goto('/system/dept');
  await away();
  await expect(search).toHaveValue('');
  await admin.ask('PATCH', `/api/accounts/menu/${id}/`, { meta: null });
});

test('an expired session leads back to the same page, and the page is found by its pinyin', async ({ baseURL }) => {
  await page.goto('/system/role?search_value=x');
  await expect(tab(page, '角色管理')).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: '查找功能、人员和工单' }).fill('czrz');
  await expect(page.getByRole('option').first()).toContainText('操作日志');
  await page.keyboard.press('Escape');

  await admin.ask('GET', '/api/accounts/logout/');
  admin = await caller(baseURL, 'admin');
  await page.getByPlaceholder('请输入关键字').fill('院长');
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '重新登录' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=/);
  expect(new URL(page.url()).searchParams.get('redirect')).toContain('/system/role?search_value=');
});
