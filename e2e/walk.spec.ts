import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Browser, type Page } from '@playwright/test';
import type { FixedPage, WebModule } from '#kernel/web/registry.ts';
import { menuPages, recordPages, type MenuRow } from '../apps/server/testing/menu-pages.ts';
import { barriersOf } from './barriers.ts';
import { cutCards } from './cards.ts';
import { caller, enter, test, type Caller } from './office.ts';

test.describe.configure({ mode: 'parallel' });

/** By night each page is checked at both widths and for barriers in both themes; otherwise at one width, in the light theme. */
const every = process.env['NIGHTLY'] === '1';
/** Pages that were once wrong, and one of each kind: home, list, calendar, board, settings, text. */
const among = [
  '/index',
  '/ticket/owner',
  '/photo/manage',
  '/activity/data',
  '/system/login',
  '/meet/day',
  '/supervise/task',
];
/** Pages that show codes, or the original names of programs. */
const codes = /^\/(system\/(user|role|menu|button|menu_button|interface|docs|online|sign_in)|sms\/template)$/;
const windows = {
  '1440 px': { viewport: { width: 1440, height: 900 } },
  '390 px': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  '360 px': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};
/** The pages of one record each, and the call that lists records of the kind. */
const records: Readonly<Record<string, string>> = {
  '/activity/detail': '/api/activity/?category=all',
  '/address/detail': '/api/oauth/staff/all_staff/',
  '/contract/detail': '/api/contract/manage/',
  '/contract/template/detail': '/api/contract/template/',
  '/customer/detail': '/api/customer/',
  '/customer/project/detail': '/api/customer/projects/',
  '/customer/record/detail': '/api/test/record/',
  '/document/detail': '/api/document/?category=all',
  '/document/dist/detail': '/api/document/dist/',
  '/document/notice/detail': '/api/document/notice/',
  '/folder/detail': '/api/folder/papers/',
  '/key/loan': '/api/key/loan/?category=all',
  '/meet/detail': '/api/meet/manage/',
  '/order/detail': '/api/order/?category=all',
  '/photo/detail': '/api/photo/',
  '/schedule/detail': '/api/leader/?category=all',
  '/schedule/duty/detail': '/api/leader/duty/today/',
  '/stamp/detail': '/api/stamp/application/?category=all',
  '/stamp/list/detail': '/api/stamp/',
  '/supervise/detail': '/api/supervise/',
  '/ticket/detail': '/api/tickets/?category=all',
};
interface Listed {
  id: number;
  actions?: readonly string[];
}

/** The id of the listed record with the most actions. */
async function busiestOf(who: Caller, list: string): Promise<number> {
  const { data, msg } = await who.ask('GET', list);
  const rows = (data?.value ?? [...(data?.now ?? []), ...(data?.next ?? [])]) as Listed[];
  expect(rows.length, `${list} ${msg}`).toBeGreaterThan(0);
  const many = ({ actions }: Listed) => actions?.length ?? 0;
  return rows.toSorted((a, b) => many(b) - many(a))[0]!.id;
}
/** Windows that walk at once: while one waits for its page, another is checked. */
const atOnce = 3;

/** The address of every page in the menu. */
async function pathsOf(who: Caller): Promise<string[]> {
  const { data } = await who.ask('GET', '/api/accounts/menu/web_router/');
  return menuPages(data as MenuRow[]).map(({ path }) => path);
}

const root = join(import.meta.dirname, '..');
/** The pages that modules have regardless of the menu. */
async function fixedPages(): Promise<FixedPage[]> {
  const files = globSync('modules/*/*/web/pages.ts', { cwd: root });
  const modules = files.map((file) => import(pathToFileURL(join(root, file)).href) as Promise<WebModule>);
  return (await Promise.all(modules)).flatMap(({ fixed = [] }) => fixed);
}

/** Runs in the page before anything else: adds up layout shifts that nobody caused. */
function watchShifts(): void {
  const shifts = { sum: 0, moved: [] as string[] };
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node?: Node }[];
    })[]) {
      if (entry.hadRecentInput) continue;
      shifts.sum += entry.value;
      for (const { node } of entry.sources)
        shifts.moved.push(node instanceof Element ? node.outerHTML.slice(0, 80) : '');
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The beginning of the complaint about a page whose parts move. */
const moves = 'moves by ';

/** Faults of the visible page that do not depend on colours; `thumb` means that it is used by touch. */
const looksWrong = (page: Page, thumb: boolean) =>
  page.evaluate(
    ({ showsCodes, thumb, moves }) => {
      const main = document.querySelector('main:not([style*="display: none"])') ?? document.body;
      const { shifts } = window as unknown as { shifts: { sum: number; moved: string[] } };
      const found: string[] = [];
      if (shifts.sum > 0.05) found.push(`${moves}${shifts.sum.toFixed(3)}: ${[...new Set(shifts.moved)].join(' ')}`);
      for (const box of [document.documentElement, main])
        if (box.scrollWidth > box.clientWidth) found.push(`is ${box.scrollWidth - box.clientWidth} px too wide`);
      if (!main.querySelector('h1, h2, h3, [role=heading]')) found.push('has no heading');
      found.push(...(thumb ? small() : wideTables()), ...cutWords(), ...filledButtons());
      if (showsCodes) return found;
      // A word that a library or the program left untranslated stands alone; addresses and codes do not look like one.
      const word = /^(?:[A-Z]?[a-z]{2,}(?: [A-Za-z][a-z]+)*|undefined|NaN|\[object \w+\]|Invalid Date)[.…:]?$/;
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode() as Text | null; node; node = texts.nextNode() as Text | null) {
        const holder = node.parentElement!;
        if (
          word.test(node.data.trim()) &&
          holder.checkVisibility() &&
          !holder.closest('code, pre, style, script, [lang=en], [translate=no]')
        )
          found.push(`says “${node.data.trim()}”`);
      }
      for (const holder of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        for (const name of ['aria-label', 'title', 'placeholder'])
          if (word.test(holder.getAttribute(name) ?? '') && !holder.closest('[translate=no]'))
            found.push(`says “${holder.getAttribute(name)}” by its ${name}`);
      return found;

      /** The width of an element's content, whether or not it is cut. */
      function widthIn(holder: Element): number {
        const range = document.createRange();
        range.selectNodeContents(holder);
        return range.getBoundingClientRect().width;
      }
      /** The bar of a record's page has one filled button at most, and it comes first. */
      function filledButtons(): string[] {
        const bar = main.querySelector('.kit-detail > .kit-actions');
        const buttons = [...(bar?.querySelectorAll<HTMLElement>('.ant-btn') ?? [])].filter((one) =>
          one.checkVisibility(),
        );
        const filled = buttons.filter((one) => one.classList.contains('ant-btn-primary'));
        if (filled.length > 1)
          return [`has ${filled.length} filled buttons: ${filled.map((one) => one.innerText).join('、')}`];
        const place = (one: HTMLElement) => one.getBoundingClientRect().top * 10_000 + one.getBoundingClientRect().left;
        const isFirst = filled.every((one) => buttons.every((other) => place(one) <= place(other)));
        return isFirst ? [] : [`the filled button “${filled[0]!.innerText}” is not the first`];
      }
      /** Buttons that are narrower than their words. */
      function cutWords(): string[] {
        return [...main.querySelectorAll<HTMLElement>('button, .ant-btn')]
          .filter((one) => one.checkVisibility() && widthIn(one) > one.clientWidth + 1)
          .map(
            (one) => `a button is ${Math.ceil(widthIn(one) - one.clientWidth)} px too narrow for “${one.innerText}”`,
          );
      }
      /** Tables that scroll sideways, and cells that are cut though their row's title leaves the room unused. */
      function wideTables(): string[] {
        const wrong: string[] = [];
        for (const table of main.querySelectorAll<HTMLElement>('.ant-table-body, .ant-table-content')) {
          if (!table.checkVisibility()) continue;
          const over = table.scrollWidth - table.clientWidth;
          if (over > 0) wrong.push(`a table is ${over} px too wide`);
          const inner = (cell: HTMLElement) => {
            const { paddingLeft, paddingRight } = getComputedStyle(cell);
            return cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          };
          const titles = [...table.querySelectorAll<HTMLElement>('tbody td.kit-main')];
          const unused = Math.min(...titles.map((cell) => inner(cell) - widthIn(cell)));
          for (const cell of table.querySelectorAll<HTMLElement>('tbody td.ant-table-cell-ellipsis')) {
            const lacks = widthIn(cell) - inner(cell);
            if (titles.length > 0 && lacks > 1 && lacks + 8 < unused && widthIn(cell) < 220)
              wrong.push(
                `“${cell.innerText}” is cut by ${Math.ceil(lacks)} px beside ${Math.floor(unused)} px of nothing`,
              );
          }
        }
        return wrong.slice(0, 8);
      }

      /** Controls that cannot be pressed within 22 px of their middle; a link within a sentence is pressed with its line. */
      function small(): string[] {
        const pressed =
          'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=combobox], [role=menuitem]';
        const told = new Set<string>();
        for (const one of document.querySelectorAll<HTMLElement>(pressed)) {
          const target =
            one.closest<HTMLElement>(
              'label, .ant-tabs-tab, .ant-select, .ant-input-affix-wrapper, .ant-input-number, .ant-picker',
            ) ?? one;
          if (!target.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || one.matches(':disabled'))
            continue;
          if (one.matches('.skip') || (one.tabIndex < 0 && !one.closest('[role=tablist], [role=radiogroup], label')))
            continue;
          const box = target.getBoundingClientRect();
          if (box.width === 0 || box.height === 0 || (box.height >= 43.5 && box.width >= 43.5)) continue;
          const sentence = target.parentElement?.textContent?.trim() ?? '';
          if (getComputedStyle(target).display === 'inline' && sentence !== target.textContent?.trim()) continue;
          target.scrollIntoView({ block: 'center', inline: 'center' });
          const { x, y, width, height } = target.getBoundingClientRect();
          const hit = (dx: number, dy: number) => {
            const at = document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy);
            return at === null || target.contains(at) || (at.contains(target) && at === target.closest('label'));
          };
          const reach = 21;
          const misses = [
            ...(height < 43.5 ? [hit(0, -reach), hit(0, reach)] : []),
            ...(width < 43.5 ? [hit(-reach, 0), hit(reach, 0)] : []),
          ].filter((is) => !is);
          if (misses.length > 0)
            told.add(
              `${Math.round(width)}×${Math.round(height)} px to press: ${target.outerHTML.replace(/<svg[\s\S]*?<\/svg>/g, '').slice(0, 160)}`,
            );
        }
        main.scrollTo(0, 0);
        return [...told].slice(0, 8);
      }
    },
    { showsCodes: codes.test(new URL(page.url()).pathname), thumb, moves },
  );

/** Waits until no requests are under way and no placeholders are left. */
async function arrive(page: Page, path: string, open: ReadonlySet<object>): Promise<void> {
  await page.goto(path, { waitUntil: 'commit' });
  await expect(page.getByRole('banner')).toBeVisible();
  const unfinished = page.locator(
    'main .ant-skeleton:visible, main .ant-spin-spinning:visible, main .kit-dimmed:visible',
  );
  await expect.poll(async () => open.size + (await unfinished.count()), { intervals: [100] }).toBe(0);
  // The last changes are drawn, too.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 150)));
  await expect.poll(async () => open.size + (await unfinished.count()), { intervals: [100] }).toBe(0);
}

/** Walks over pages in several windows at once; returns what is wrong, by page. */
async function walk(
  browser: Browser,
  origin: string | undefined,
  { token }: Caller,
  frame: (typeof windows)[keyof typeof windows],
  paths: readonly string[],
): Promise<Record<string, string[]>> {
  const thumb = frame.viewport.width < 992;
  const found: Record<string, string[]> = {};
  const left = paths.values();
  const visit = async () => {
    const page = await enter(browser, origin, token, frame);
    await page.addInitScript(watchShifts);
    const complaints: string[] = [];
    page.on('console', (said) => said.type() === 'error' && complaints.push(`complains: ${said.text()}`));
    page.on('pageerror', (error) => complaints.push(`complains: ${error.message}`));
    const open = new Set<object>();
    page.on('request', (one) => one.url().includes('/ws') || open.add(one));
    for (const over of ['requestfinished', 'requestfailed'] as const)
      page.on(over as 'requestfinished', (one) => open.delete(one));
    const look = async (path: string) => {
      open.clear();
      await arrive(page, path, open);
      return looksWrong(page, thumb);
    };
    for (const path of left) {
      let wrong = await look(path);
      // A page waits for its parts for two seconds only; on a busy machine one may come later and move it. A fault of the page comes every time.
      for (let again = 0; again < 2 && wrong.some((one) => one.startsWith(moves)); again++) wrong = await look(path);
      if (thumb) wrong.push(...(await cutCards(page)));
      wrong.push(...(await barriersOf(page)));
      if (every) {
        await page.emulateMedia({ colorScheme: 'dark' });
        wrong.push(...(await barriersOf(page)).map((one) => `in the dark ${one}`));
        await page.emulateMedia({ colorScheme: 'light' });
      }
      wrong.push(...complaints.splice(0));
      if (wrong.length > 0) found[path] = wrong;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visit));
  return found;
}

for (const [turn, [width, look]] of Object.entries(windows).slice(0, 2).entries())
  test(`at ${width} no page of the menu${every ? '' : ' in turn'} shifts, scrolls sideways, logs errors, has accessibility barriers, lacks a heading, shows English, has tiny buttons, or cuts words that there is room for`, async ({
    browser,
    baseURL,
  }) => {
    const admin = await caller(baseURL, 'admin');
    const all = await pathsOf(admin);
    expect(all).toEqual(expect.arrayContaining(among));
    const paths = all.filter((path, at) => every || at % 2 === turn || among.includes(path));
    test.setTimeout(paths.length * 20_000);
    expect(await walk(browser, baseURL, admin, look, paths)).toEqual({});
  });

for (const width of ['1440 px', '360 px'] as const)
  test(`at ${width} no page of one record, of any kind, has any of these faults`, async ({ browser, baseURL }) => {
    const admin = await caller(baseURL, 'admin');
    const { data } = await admin.ask('GET', '/api/accounts/menu/web_router/');
    expect(Object.keys(records).map((path) => `${path}/:id`)).toEqual(
      expect.arrayContaining(recordPages(data as MenuRow[], await fixedPages())),
    );
    const paths = await Promise.all(
      Object.entries(records).map(async ([path, list]) => `${path}/${await busiestOf(admin, list)}`),
    );
    test.setTimeout(paths.length * 20_000);
    expect(await walk(browser, baseURL, admin, windows[width], paths)).toEqual({});
  });

test('the page of an address that does not exist has a heading and no barriers', async ({ browser, baseURL }) => {
  const admin = await caller(baseURL, 'admin');
  expect(await walk(browser, baseURL, admin, windows['1440 px'], ['/404', '/401', '/order/detail/999999'])).toEqual({});
});

test('a calendar with late entries is drawn once they have arrived, and nothing in it shifts', async ({
  browser,
  baseURL,
}) => {
  const { token } = await caller(baseURL, 'admin');
  const page = await enter(browser, baseURL, token, windows['1440 px']);
  await page.addInitScript(watchShifts);
  await page.route('**/api/meet/day/*', async (route) => {
    await new Promise((done) => setTimeout(done, 3000));
    await route.continue();
  });
  await page.goto('/meet/day');
  await expect(page.locator('.ec-day-head, .ec-col-head').first()).toBeVisible();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(await looksWrong(page, false)).toEqual([]);
});
