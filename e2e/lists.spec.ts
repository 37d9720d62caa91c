import { expect, type Page, type Request } from '@playwright/test';
import { caller, enter, handOver, test } from './office.ts';

const numbers = (page: Page) => page.getByRole('navigation', { name: '分页' }).getByRole('button', { name: /^第 / });
const asked = (request: Request) => Object.fromEntries(new URL(request.url()).searchParams);
const heads = (page: Page) => page.locator('.ant-table-thead th.ant-table-cell');

test('a list loads ten rows; the pager shows seven numbers, or five under 992 px, numbering continues, and paging scrolls to the top', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'shi.yufei')).token);
  const badges: string[] = [];
  page.on('request', (request) => request.url().includes('/tickets/jiaobiao/') && badges.push(request.url()));
  const first = page.waitForRequest(/\/api\/tickets\/\?/);
  await page.goto('/ticket/all');
  expect(asked(await first)).toMatchObject({ page: '1', per_page: '10' });
  const total = Number(/\d+/.exec((await page.getByText(/^共 \d+\+? 条$/).textContent()) ?? '')?.[0]);
  expect(total).toBeGreaterThan(80);
  await expect(numbers(page)).toHaveCount(7);
  await expect(page.getByRole('combobox', { name: '每页条数' })).toBeVisible();
  const third = page.waitForRequest(/\/api\/tickets\/\?.*page=3/);
  await page.getByRole('button', { name: '第 3 页' }).click();
  await expect(page).toHaveURL(/page=3/);
  expect(asked(await third)).toMatchObject({ page: '3', per_page: '10' });
  await expect(page.locator('.ant-table-row').first()).toContainText(/^21/);
  expect(badges).toHaveLength(1);
  await page.setViewportSize({ width: 980, height: 900 });
  await expect(numbers(page)).toHaveCount(5);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('combobox', { name: '每页条数' }).click();
  await expect(page.locator('.ant-select-item')).toHaveText(['10 条/页', '20 条/页', '30 条/页', '50 条/页']);
  await page.locator('.ant-select-item').getByText('50 条/页').click();
  await expect(page.locator('.ant-table-row')).toHaveCount(50);
  // Turning the page at the end of a list shows the top of the next page.
  const top = () => page.getByRole('main').evaluate((main) => main.scrollTop);
  await page.getByRole('button', { name: '第 2 页' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect.poll(top).toBeLessThan(100);
  await page.getByRole('button', { name: '第 1 页' }).click();
  await expect(page.locator('.ant-table-row').first()).toContainText(/^1\D/);
  const searched = page.waitForRequest(/\/api\/tickets\/\?.*search_value=/);
  await page.getByPlaceholder('请输入关键字').fill('信息化服务');
  expect(asked(await searched)).toMatchObject({ page: '1', per_page: '50', search_value: '信息化服务' });
  await page.getByPlaceholder('请输入关键字').fill('');
  await expect(page).not.toHaveURL(/search_value/);
});

test('columns chosen, moved, pinned and widened stay so for the person at the next sign-in elsewhere', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user');
  await expect(heads(page).filter({ hasText: '部门' })).toBeVisible();
  const before = await heads(page).allTextContents();
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible();
  await page.getByRole('button', { name: '列设置' }).click();
  const panel = page.getByRole('dialog', { name: '列设置' });
  await panel.getByRole('checkbox', { name: '角色' }).uncheck();
  await panel.getByRole('button', { name: '上移 手机' }).click();
  await panel.getByRole('combobox', { name: '固定 状态' }).click();
  await page.locator('.ant-select-item').getByText('固定左侧').click();
  await page.getByRole('heading', { name: '用户管理' }).click();
  await expect(panel).toBeHidden();

  const edge = page.getByRole('separator', { name: '调整“部门”列宽' });
  const box = await edge.boundingBox();
  if (!box) throw new Error('no edge to drag');
  const wide = async () => (await heads(page).filter({ hasText: '部门' }).boundingBox())?.width ?? 0;
  const was = await wide();
  const kept = page.waitForResponse((answer) => answer.url().includes('/accounts/preference/'));
  await page.mouse.move(box.x + 5, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 125, box.y + 10, { steps: 4 });
  await page.mouse.up();
  expect(await wide()).toBeGreaterThan(was + 60);
  await kept;

  const after = await heads(page).allTextContents();
  expect(after).not.toContain('角色');
  expect(before.indexOf('手机')).toBeGreaterThan(before.indexOf('部门'));
  expect(after.indexOf('手机')).toBeLessThan(after.indexOf('部门'));
  expect(after.indexOf('状态')).toBeLessThan(after.indexOf('部门'));

  // On another machine: the browser's storage is empty.
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user');
  await expect(heads(page)).toHaveText(after);
  await page.getByRole('button', { name: '列设置' }).click();
  const reset = page.waitForResponse((answer) => answer.url().includes('/accounts/preference/'));
  await page.getByRole('button', { name: '恢复默认' }).click();
  await reset;
  await expect(heads(page)).toHaveText(before);
});

test('a view keeps search and filters under a name, also at the next sign-in elsewhere', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user');
  await page.getByPlaceholder('请输入关键字').fill('秦');
  await expect(page).toHaveURL(/search_value=/);
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('textbox', { name: '视图名称' }).fill('姓秦的');
  const kept = page.waitForResponse((answer) => answer.url().includes('/accounts/preference/'));
  await page.getByRole('button', { name: '保存当前' }).click();
  await kept;

  // On another machine: the browser's storage is empty.
  await handOver(page, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user');
  await page.getByRole('button', { name: '视图', exact: true }).click();
  await page.getByRole('button', { name: '姓秦的', exact: true }).click();
  await expect(page.getByPlaceholder('请输入关键字')).toHaveValue('秦');
  await expect(page).toHaveURL(/search_value=/);
});

test('input method text in a search box is searched once it is a word, and never letter by letter', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'admin')).token);
  await page.goto('/system/user');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  const words: string[] = [];
  page.on('request', (one) => {
    const { pathname, searchParams } = new URL(one.url());
    if (pathname === '/api/accounts/users/' && searchParams.has('search_value'))
      words.push(searchParams.get('search_value')!);
  });
  const box = page.getByPlaceholder('请输入关键字');
  await box.click();
  const keys = await page.context().newCDPSession(page);
  for (const text of ['q', 'qi', 'qin']) {
    await keys.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    await expect(box).toHaveValue(text);
  }
  const found = page.waitForResponse(/\/api\/accounts\/users\/\?.*search_value=/);
  await keys.send('Input.insertText', { text: '秦' });
  await found;
  await expect(page).toHaveURL(/search_value=%E7%A7%A6/);
  await expect(box).toHaveValue('秦');
  expect(words).toEqual(['秦']);
});

test('a filter’s workflows load when it is opened, and a chosen one keeps its name through a reload', async ({
  browser,
  baseURL,
}) => {
  const page = await enter(browser, baseURL, (await caller(baseURL, 'shi.yufei')).token);
  let asked = 0;
  page.on('request', (one) => (asked += Number(one.url().includes('/api/workflows/?'))));
  await page.goto('/ticket/all');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(0);
  await page.getByRole('combobox', { name: '类型' }).click();
  const first = page.locator('.ant-select-dropdown .ant-select-item-option').first();
  const name = await first.textContent();
  await first.click();
  await expect(page).toHaveURL(/workflow_ids=\d+/);
  expect(asked).toBe(1);
  await page.reload();
  await expect(page.locator('.kit-filter', { hasText: name! })).toBeVisible();
});

test('at 1440 px beside the open menu work lists fit without sideways scrolling, in two-line rows that cut no number, state or name', async ({
  browser,
  baseURL,
}) => {
  for (const [name, ...paths] of [
    [
      'guo.zhenhua',
      '/ticket/duty',
      '/ticket/owner',
      '/ticket/worked',
      '/document/list',
      '/document/list?category=worked',
    ],
    ['admin', '/ticket/all', '/document/list?category=all', '/folder/papers'],
    ['zhao.yan', '/supervise/task'],
    ['song.mingjie', '/document/dist'],
    [
      'admin',
      '/contract/manage',
      '/contract/manage?stage=30',
      '/meet/manage',
      '/order/list',
      '/supervise/list?category=all',
      '/supervise/list?category=all&light=0',
    ],
  ] as const) {
    const page = await enter(browser, baseURL, (await caller(baseURL, name)).token);
    for (const path of paths) {
      await page.goto(path);
      await expect(page.locator('.ant-table-row').first()).toBeVisible();
      const told = await page.locator('.kit-rows').evaluate((list) => {
        const wide = [...list.querySelectorAll('.ant-table-body')].some((one) => one.scrollWidth > one.clientWidth);
        const heads = [...list.querySelectorAll('thead th')];
        const whole = [
          '流水号',
          '字号',
          '发文字号',
          '当前环节',
          '当前办理人',
          '来文或起草单位',
          '编号',
          '金额（元）',
          '起止',
          '阶段',
          '承办人',
          '时间',
          '主持人',
          '会议状态',
          '单号',
          '状态',
          '时限',
          '灯',
          '责任人',
          '办理人',
        ];
        const cells = [...list.querySelectorAll<HTMLElement>('.ant-table-row')].flatMap((row) =>
          [...row.children].filter((_cell, at) => whole.includes(heads[at]?.textContent ?? '')),
        );
        const cut = cells.filter((cell) => cell.scrollWidth > cell.clientWidth);
        const rows = [...list.querySelectorAll('.ant-table-row')].map((row) => row.getBoundingClientRect().height);
        return { wide, cut: cut.map((cell) => cell.textContent), tall: Math.max(...rows) };
      });
      expect({ path, ...told }).toEqual({ path, wide: false, cut: [], tall: expect.any(Number) });
      expect(told.tall, path).toBeLessThan(74);
    }
    await page.context().close();
  }
});
