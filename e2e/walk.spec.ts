import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { caller, enter, test } from './office.ts';

/** With WALK=all every page in all four looks; else each page in one, in turns. */
const everything = process.env['WALK'] === 'all';
const looks = [
  { name: 'phone, light', colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
  { name: 'desk, dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'desk, light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true },
] as const;

interface MenuRow {
  id: number;
  name: string;
  parent: number | null;
  web_path: string;
  visible: boolean;
  is_link: boolean;
}

/** Addresses of all pages that the menu shows. */
function pagesOf(menu: readonly MenuRow[]): string[] {
  const of = new Map(menu.map((row) => [row.id, row]));
  const pathOf = (row: MenuRow): string =>
    row.web_path.startsWith('/') || row.parent === null
      ? row.web_path
      : `${pathOf(of.get(row.parent)!).replace(/\/$/, '')}/${row.web_path}`;
  const leads = (row: MenuRow) => row.visible && !row.is_link && !row.web_path.includes(':');
  return [
    ...new Set(
      menu.filter((row) => leads(row) && !menu.some((one) => one.parent === row.id && leads(one))).map(pathOf),
    ),
  ];
}

/** Words that stay as they are in any language, and what people typed. */
const kept =
  /^(?:ICP|ID|IP|PDF|OFD|URL|URI|API|JSON|HTTPS?|SSL|TLS|DNS|CAS|OIDC|OAuth2?|SSO|WOPI|SMTP|GB|MB|KB|AppID|AppSecret|EncodingAESKey|Excel|Word|WPS|Ctrl|Shift|Enter|Esc|Chrome|Firefox|Edge|Safari|Windows|Linux|macOS|iOS|Android|Node|PostgreSQL|GET|POST|PUT|PATCH|DELETE|LOGO|Logo|UTF|CSV|XLSX|VIP|App|HeadlessChrome|Kanban|key|jwt|code|token)$/i;

/** What of the page that is shown is wrong to whoever uses it. */
async function faultsOf(page: Page, narrow: boolean): Promise<string[]> {
  return page.evaluate((phone) => {
    const found: string[] = [];
    const main = [...document.querySelectorAll<HTMLElement>('main.page')].find((one) => one.checkVisibility());
    if (!main) return ['no page'];
    for (const box of [document.documentElement, main])
      if (box.scrollWidth > box.clientWidth + 1)
        found.push(`scrolls sideways: ${box.scrollWidth} of ${box.clientWidth}`);
    const said = (one: Element) => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 20);
    if (phone) {
      const targets = document.querySelectorAll<HTMLElement>(
        'main.page :is(button, a[href], select, input:not([type=hidden]), [role=button], [role=switch]), .bottom a, .navbar button',
      );
      for (const one of targets) {
        if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.tabIndex < 0) continue;
        // A box, a switch and a field are pressed by what stands round them; a link within a text by its line.
        const round =
          one.closest<HTMLElement>('label, .ant-select, .ant-input-affix-wrapper, .ant-picker, .ant-segmented-item') ??
          one;
        const { width, height } = round.getBoundingClientRect();
        if (width === 0 || height === 0 || one.closest('p, dd, .kit-card-line, .ant-upload')) continue;
        if (Math.max(height, one.offsetHeight) < 43.5)
          found.push(`target ${Math.round(width)}×${Math.round(height)}: ${one.tagName} ${said(one)}`);
      }
    }
    return [...new Set(found)].slice(0, 6);
  }, narrow);
}

/** Words of the page's own that are not Chinese: of its controls, heads and hints. */
async function englishOn(page: Page): Promise<string[]> {
  const words = await page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((one) => one.checkVisibility());
    const named = shown.flatMap((one) =>
      ['aria-label', 'placeholder', 'title'].map((name) => one.getAttribute(name) ?? ''),
    );
    const heads = shown
      .filter((one) => one.matches('h1, h2, h3, th, label, button, legend, dt'))
      .map((one) => one.textContent ?? '');
    return [...named, ...heads]
      .filter((text) => !/\p{Script=Han}/u.test(text) && !/[\d@./_:]/.test(text))
      .flatMap((text) => text.match(/[A-Za-z]{3,}/g) ?? []);
  });
  return [...new Set(words)].filter((word) => !kept.test(word));
}

test('every page of the menu fits its window, shifts nothing, complains of nothing, speaks Chinese, can be pressed with a thumb and has no serious barrier', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(everything ? 900_000 : 300_000);
  const admin = await caller(baseURL, 'admin');
  const paths = pagesOf((await admin.ask('GET', '/api/accounts/menu/')).data as MenuRow[]);
  expect(paths.length).toBeGreaterThan(60);
  const found: Record<string, string[]> = {};
  for (const [turn, { name, ...look }] of looks.entries()) {
    const mine = everything ? paths : paths.filter((_path, index) => index % looks.length === turn);
    const narrow = look.viewport.width < 992;
    const page = await enter(browser, baseURL, admin.token, look);
    const complaints: string[] = [];
    page.on('console', (told) => told.type() === 'error' && complaints.push(told.text().slice(0, 160)));
    page.on('pageerror', (error) => complaints.push(error.message.slice(0, 160)));
    await page.addInitScript(() => {
      Object.assign(window, { shifted: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) (window as never as { shifted: number }).shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const path of mine) {
      await page.goto(path);
      await expect(page.locator('main.page')).toBeVisible();
      await expect(page.locator('main.page .ant-skeleton')).toHaveCount(0);
      await page.waitForLoadState('networkidle');
      const shifted = await page.evaluate(() => (window as never as { shifted: number }).shifted);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      const barriers = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 120)}`);
      const faults = [
        ...(await faultsOf(page, narrow)),
        ...(await englishOn(page)).map((word) => `English: ${word}`),
        ...(shifted > 0.05 ? [`shifts by ${shifted.toFixed(3)}`] : []),
        ...complaints.splice(0),
        ...barriers,
      ];
      if (faults.length > 0) found[`${path} (${name})`] = faults;
    }
    await page.context().close();
  }
  expect(found).toEqual({});
});

test('the first row of a list is ten steps of the keyboard away, and no edge of a column is among them', async ({
  page,
  baseURL,
}) => {
  const admin = await caller(baseURL, 'admin');
  await page.goto('/readyz');
  await page.evaluate((token) => localStorage.setItem('Admin-Token', token), admin.token);
  await page.goto('/ticket/all');
  await expect(page.locator('.ant-table-row').first()).toBeVisible();
  const inRow = () => page.evaluate(() => document.activeElement?.closest('.ant-table-row') !== null);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: '跳到列表' })).toBeFocused();
  await page.keyboard.press('Enter');
  expect(await inRow()).toBe(true);
  await expect(page.getByRole('separator')).not.toHaveCount(0);
  expect(
    await page
      .getByRole('separator')
      .evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex >= 0).length),
  ).toBe(0);
});
