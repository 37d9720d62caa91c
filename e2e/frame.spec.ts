import { expect } from '@playwright/test';
import { caller, enter, firstLevel, goTo, handOver, repairWaiting, stand, tab, test } from './office.ts';

test.beforeEach(async ({ page, baseURL }) => handOver(page, (await caller(baseURL, 'admin')).token));

test('the narrow sidebar is 85 px, the wide one 202 px under the entry’s title, and the cookie remembers it', async ({
  page,
}) => {
  await stand(page);
  const first = page.getByRole('navigation', { name: '主导航' });
  expect((await first.boundingBox())?.width).toBe(85);
  await expect(page.getByRole('navigation', { name: '系统管理' })).toBeHidden();
  await firstLevel(page, '系统管理').click();
  const second = page.getByRole('navigation', { name: '系统管理' });
  expect((await second.boundingBox())?.width).toBe(202);
  await expect(second.getByRole('heading', { name: '系统管理' })).toBeVisible();
  await expect(page).toHaveURL(/\/index$/);
  await second.getByRole('link', { name: '用户管理' }).click();
  await expect(page).toHaveURL(/\/system\/user/);

  await page.getByRole('button', { name: '收起侧栏' }).click();
  await expect(second).toBeHidden();
  const cookie = async () => (await page.context().cookies()).find((one) => one.name === 'sidebarStatus')?.value;
  expect(await cookie()).toBe('0');
  await page.reload();
  await expect(page.getByRole('button', { name: '展开侧栏' })).toBeVisible();
  await expect(second).toBeHidden();
  await page.getByRole('button', { name: '展开侧栏' }).click();
  await expect(second).toBeVisible();
  expect(await cookie()).toBe('1');
});

test('a menu entry without children opens at once and closes the wide sidebar', async ({ page }) => {
  await stand(page, '/system/role');
  await expect(page.getByRole('navigation', { name: '系统管理' })).toBeVisible();
  await firstLevel(page, '通讯录').click();
  await expect(page).toHaveURL(/\/address$/);
  await expect(page.getByRole('navigation', { name: '系统管理' })).toBeHidden();
});

test('every visited page gets a tab; the fixed one cannot be closed; the others by the five choices', async ({
  page,
}) => {
  await stand(page);
  for (const name of ['用户管理', '角色管理', '菜单管理']) await goTo(page, '系统管理', name);
  await expect(page.getByRole('tab')).toHaveCount(4);
  await tab(page, '首页').click({ button: 'right' });
  const menu = page.getByRole('menu').filter({ hasText: '刷新页面', visible: true });
  await expect(menu.getByRole('menuitem')).toHaveText(['刷新页面', '关闭当前', '关闭其他', '关闭右侧', '关闭所有']);
  expect((await menu.boundingBox())?.width).toBe(105);
  await expect(menu.getByRole('menuitem', { name: '关闭当前' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);

  await tab(page, '用户管理').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: '关闭当前' }).click();
  await expect(page.getByRole('tab')).toHaveText(['首页', '角色管理', '菜单管理']);
  await expect(page).toHaveURL(/\/system\/menu/);
  await goTo(page, '系统管理', '用户管理');
  await goTo(page, '系统管理', '部门管理');
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('tagsView') ?? '{}'));
  expect(kept.visitedViews[1]).toMatchObject({ path: '/system/role', title: '角色管理', name: 'system/role' });
  expect(kept.cachedViews).toContainEqual(expect.objectContaining({ path: '/system/role', title: '角色管理' }));

  await tab(page, '用户管理').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: '关闭右侧' }).click();
  await expect(page.getByRole('tab')).toHaveText(['首页', '角色管理', '菜单管理', '用户管理']);
  await tab(page, '角色管理').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: '关闭其他' }).click();
  await expect(page.getByRole('tab')).toHaveText(['首页', '角色管理']);
  await tab(page, '角色管理').click({ button: 'right' });
  await menu.getByRole('menuitem', { name: '关闭所有' }).click();
  await expect(page.getByRole('tab')).toHaveText(['首页']);
  await expect(page).toHaveURL(/\/index/);
});

test('a page keeps typed text while another is shown and through a reload, and refreshing clears it', async ({
  page,
}) => {
  await stand(page, '/system/user');
  const search = () => page.getByPlaceholder('请输入关键字').filter({ visible: true });
  await search().fill('不存在的人');
  await expect(page).toHaveURL(/search_value=/);
  await goTo(page, '系统管理', '角色管理');
  await expect(search()).toHaveValue('');
  await tab(page, '用户管理').click();
  await expect(search()).toHaveValue('不存在的人');
  await page.reload();
  await expect(tab(page, '角色管理')).toBeVisible();
  await expect(search()).toHaveValue('不存在的人');

  await goTo(page, '系统管理', '部门管理');
  const dept = page.getByRole('textbox', { name: '搜索部门' });
  await dept.fill('教务');
  const through: string[] = [];
  page.on('framenavigated', (frame) => through.push(new URL(frame.url()).pathname));
  await tab(page, '部门管理').click({ button: 'right' });
  await page.getByRole('menuitem', { name: '刷新页面' }).click();
  await expect(dept).toHaveValue('');
  await expect(page).toHaveURL(/\/system\/dept$/);
  expect(through).toContain('/redirect/system/dept');
});

test('the settings drawer changes colour, tab bar, header and logo, and this browser remembers', async ({ page }) => {
  await stand(page);
  await page.getByRole('button', { name: '界面设置' }).click();
  const colours = page.getByRole('radiogroup', { name: '主题颜色' }).getByRole('radio');
  await expect(colours).toHaveCount(8);
  await expect(colours.first()).toHaveAttribute('aria-label', '#0099e0');
  await expect(colours.first()).toHaveAttribute('aria-checked', 'true');
  const banner = page.locator('.navbar');
  const line = () => banner.evaluate((bar) => getComputedStyle(bar).boxShadow);
  expect(await line()).toContain('rgb(0, 153, 224)');
  await expect(banner.locator('> img')).toHaveCount(1);
  await colours.nth(7).click();
  await expect.poll(line).toContain('rgb(114, 46, 209)');
  await page.getByRole('switch', { name: '标签栏' }).click();
  await page.getByRole('switch', { name: '显示标志' }).click();
  await page.getByRole('switch', { name: '固定顶栏' }).click();
  await expect(page.getByRole('tablist')).toBeHidden();
  await expect(banner.locator('> img')).toHaveCount(0);
  await page.getByText('深色', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: '界面设置' })).toBeVisible();
  await expect(page.getByRole('tablist')).toBeHidden();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('settings') ?? '{}'))).toMatchObject({
    theme: '#722ed1',
    tagsView: false,
    fixedHeader: false,
    sidebarLogo: false,
    dark: 'dark',
  });
  const dark = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(Math.max(...((await dark()).match(/\d+/g) ?? ['255']).slice(0, 3).map(Number))).toBeLessThan(64);

  const size = async () => (await page.context().cookies()).find((one) => one.name === 'size')?.value;
  const button = page.getByRole('button', { name: '界面设置' });
  const height = async () => (await button.boundingBox())?.height ?? 0;
  expect(await size()).toBeUndefined();
  const medium = await height();
  await button.click();
  const sizes = page.locator('[aria-label="控件大小"]');
  await expect(sizes.locator('.ant-segmented-item-selected')).toHaveText('中');
  await sizes.getByText('大', { exact: true }).click();
  await expect.poll(height).toBeGreaterThan(medium);
  expect(await size()).toBe('large');
});

test('a fixed header stays while the page scrolls, and one that is not fixed scrolls with it', async ({ page }) => {
  const top = async () => (await page.locator('.navbar').boundingBox())?.y ?? -1;
  const scroll = () => page.evaluate(() => scrollTo(0, 400));
  await page.setViewportSize({ width: 1440, height: 320 });
  await page.goto('/user/profile');
  await expect(page.getByRole('heading', { name: '个人中心' })).toBeVisible();
  await scroll();
  expect(await top()).toBe(0);
  await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem('settings') ?? '{}');
    localStorage.setItem('settings', JSON.stringify({ ...kept, fixedHeader: false }));
  });
  await page.reload();
  await expect(page.getByLabel('办公室')).toBeVisible();
  await scroll();
  await expect.poll(top).toBeLessThan(0);
});

test('under 992 px both levels are a drawer that closes on first load, page change, resize and a click outside', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/index');
  const first = page.getByRole('navigation', { name: '主导航' });
  await expect(page.getByRole('navigation', { name: '常用' })).toBeVisible();
  await expect(first).toBeHidden();
  const open = () => page.getByRole('button', { name: '展开侧栏' }).click();
  await open();
  await firstLevel(page, '系统管理').click();
  await page.getByRole('navigation', { name: '系统管理' }).getByRole('link', { name: '用户管理' }).click();
  await expect(page).toHaveURL(/\/system\/user/);
  await expect(first).toBeHidden();
  await open();
  await page.mouse.click(380, 400);
  await expect(first).toBeHidden();
  await open();
  await page.setViewportSize({ width: 991, height: 800 });
  await expect(first).toBeHidden();
  await page.setViewportSize({ width: 992, height: 800 });
  await expect(first).toBeVisible();
});

test('the command palette opens any page by keyboard', async ({ page, baseURL }) => {
  await repairWaiting(baseURL, '报修走廊顶灯');
  await stand(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: '查找功能、人员和工单' }).fill('角色');
  await expect(page.getByRole('option').first()).toContainText('角色管理');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/system\/role/);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: '查找功能、人员和工单' }).fill('qinhaoyu');
  await expect(page.getByRole('option', { name: '秦浩宇 计算机学院' })).toBeVisible();
  await page.getByRole('combobox', { name: '查找功能、人员和工单' }).fill('走廊顶灯');
  await expect(
    page
      .getByRole('option', { name: /报修走廊顶灯/ })
      .filter({ hasText: '工单 ' })
      .first(),
  ).toBeVisible();
});

test('the command palette starts a meeting at a typed time, a form by its name, and a message to a person', async ({
  page,
}) => {
  await stand(page);
  const box = page.getByRole('combobox', { name: '查找功能、人员和工单' });
  await page.keyboard.press('Control+k');
  await box.fill('新建会议 明天 10点 碰头会');
  await expect(page.getByRole('option', { name: /^预约会议：碰头会/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/meet\/book\?/);
  await expect(page.getByLabel('会议名称')).toHaveValue('碰头会');
  await expect(page.getByLabel('开始时间')).toHaveValue(/10:00/);
  await page.keyboard.press('Control+k');
  await box.fill('请假');
  await page.getByRole('option', { name: /^发起 请假申请/ }).click();
  await expect(page).toHaveURL(/\/ticket\/new\?workflow=\d+/);
  await page.keyboard.press('Control+k');
  await box.fill('秦浩宇');
  await page.getByRole('option', { name: /^给 秦浩宇 写消息/ }).click();
  await expect(page).toHaveURL(/\/notice/);
  await expect(page.getByRole('dialog')).toContainText('秦浩宇');
});

test('a list and the tabs can be used by keyboard alone', async ({ page }) => {
  await page.goto('/system/user');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  // The edges of columns can be focused and moved with arrow keys, but Tab skips them.
  expect(await page.getByRole('separator').evaluateAll((all) => all.map((one) => one.tabIndex))).not.toContain(0);
  // From the top of the page the first row is two key presses away.
  const inRow = page.locator('.ant-table-row').first().locator(':focus');
  await page.getByRole('link', { name: '跳到内容' }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '跳到列表' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inRow).toHaveCount(1);
  await page.keyboard.press('/');
  await expect(page.getByPlaceholder('请输入关键字')).toBeFocused();
  await page.keyboard.type('admin');
  await expect(page.locator('.ant-table-row')).toHaveCount(1);
  await page.getByRole('heading', { name: '用户管理' }).click();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: '快捷键' });
  await expect(help).toContainText('下一行');
  await page.keyboard.press('Enter');
  await expect(help).toBeHidden();
  await tab(page, '用户管理').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tab(page, '首页')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/index$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('tab')).toHaveText(['首页']);
});

test('closing the palette or the settings returns the focus to the element that had it', async ({ page }) => {
  await stand(page, '/system/user');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  const box = page.getByRole('combobox', { name: '查找功能、人员和工单' });
  const search = page.getByPlaceholder('请输入关键字');
  await search.focus();
  await page.keyboard.press('Control+k');
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(search).toBeFocused();

  const opener = page.getByRole('button', { name: /^查找/ });
  await opener.click();
  await expect(box).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();

  const settings = page.getByRole('button', { name: '界面设置' });
  const drawer = page.getByRole('dialog', { name: '界面设置' });
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => drawer.getByRole('button', { name: '关闭' }).click(),
  ]) {
    await settings.click();
    await expect(drawer).toBeVisible();
    await drawer.getByRole('radio').first().focus();
    await close();
    await expect(drawer).toHaveCount(0);
    await expect(settings).toBeFocused();
  }
});

test('at double zoom each kind of page has room and does not scroll sideways', async ({ browser, baseURL }) => {
  const song = await caller(baseURL, 'song.mingjie');
  const { data } = await song.ask('GET', '/api/tickets/?category=duty&per_page=1');
  const ticket = (data.value as { id: number }[])[0]!.id;
  // The size of 1440 × 900 in a browser zoomed to 200 %.
  const page = await enter(browser, baseURL, song.token, {
    viewport: { width: 720, height: 450 },
    deviceScaleFactor: 2,
  });
  for (const path of ['/index', '/ticket/duty', `/ticket/detail/${ticket}`, '/ticket/new', '/meet/day', '/address']) {
    await stand(page, path);
    await page.locator('main :is(h1, h2)').filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const seen = await page.evaluate(() => {
      const main = document.querySelector('main')!;
      const wide = [document.documentElement, main].some((box) => box.scrollWidth > box.clientWidth);
      const bars = [...document.querySelectorAll('main footer[aria-label=操作]')].filter((one) =>
        one.checkVisibility(),
      );
      const covered = bars.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0);
      return { wide, room: main.clientHeight - covered };
    });
    expect({ path, ...seen }).toEqual({ path, wide: false, room: expect.any(Number) });
    expect(seen.room, path).toBeGreaterThan(160);
  }
});

test('text is read in three sizes, chosen under 界面设置, and the largest has room on a desk and on a phone', async ({
  browser,
  baseURL,
}) => {
  const song = await caller(baseURL, 'song.mingjie');
  const page = await enter(browser, baseURL, song.token);
  await stand(page, '/ticket/duty');
  const sizeOf = (what: string) =>
    page
      .locator(what)
      .first()
      .evaluate((shown) => getComputedStyle(shown).fontSize);
  await expect(page.locator('main .ant-table-row td').first()).toBeVisible();
  expect([await sizeOf('main .ant-table-row td'), await sizeOf('body')]).toEqual(['14px', '14px']);
  await page.getByRole('button', { name: '界面设置' }).click();
  await page.getByRole('radiogroup', { name: '文字大小' }).getByText('特大').click();
  await page.keyboard.press('Escape');
  expect([await sizeOf('main .ant-table-row td'), await sizeOf('body')]).toEqual(['18px', '17.5px']);
  const shown = [];
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/index', '/todo', '/ticket/new', '/meet/day', '/address', '/msg']) {
      await stand(page, path);
      await page.locator('main :is(h1, h2)').filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const wide = await page.evaluate(() =>
        [document.documentElement, document.querySelector('main')!].some((box) => box.scrollWidth > box.clientWidth),
      );
      if (wide) shown.push(`${path} at ${width} px`);
    }
  }
  expect(shown).toEqual([]);
  await page.context().close();
});
