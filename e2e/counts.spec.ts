import { expect, type Page } from '@playwright/test';
import { caller, enter, test, type Caller } from './office.ts';

test.describe.configure({ mode: 'parallel' });

interface Kind {
  key: string;
  page: string;
  path: string;
  count: number;
  aside: number;
}
/** People of the demonstration with waiting items of many kinds. */
const people = ['admin', 'song.mingjie', 'shen.lijuan', 'qian.weimin', 'zhao.yan', 'qin.haoyu', 'liu.hanlin'];
/** Kinds that are counted on tabs of their page, because there are several or the tab's content is not a list. */
const tabsOf: Readonly<Record<string, readonly string[]>> = {
  'supervise-check': ['待审核', '申请'],
  photo: ['审核'],
  seal: ['待用印'],
};
/** Beside the list of schedules stands the number that the specification names (§2), of all that is to be decided: a call of its own. */
const ownNumbers: Readonly<Record<string, string>> = {
  'leader/list': '/api/leader/?type_id=1&category=duty&per_page=1',
};
/** Pages with tabs whose counts the lists themselves do not show, and people who see them. */
const tabbed = [
  ['zhao.yan', '/supervise/task'],
  ['qian.weimin', '/supervise/list'],
  ['qian.weimin', '/msg?readState=1'],
  ['admin', '/order/list'],
  ['qin.haoyu', '/contract/list'],
  ['song.mingjie', '/todo'],
] as const;

const numberIn = (text: string | null | undefined) => Number(/\d+/.exec(text ?? '')?.[0] ?? 0);
/** The total under the visible list; an empty one has none. */
const totalOf = async (page: Page) => {
  const pager = page.locator('main .kit-pager:visible');
  await expect(pager.or(page.locator('main .kit-state:visible')).first()).toBeVisible();
  // That of the tab before may go while it is read.
  return numberIn((await pager.allTextContents())[0]);
};
const tabs = (page: Page) => page.locator('main .kit-categories:visible button, main [role=tab]:visible');
const open = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.locator('main .kit-pager:visible, main .kit-state:visible').or(tabs(page)).first()).toBeVisible();
};

test('the number beside each menu page equals that of its list or its tabs', async ({ browser, baseURL }) => {
  const known = new Map<string, { who: Caller; kinds: Kind[] }>();
  for (const name of people) {
    const who = await caller(baseURL, name);
    known.set(name, { who, kinds: (await who.ask('GET', '/api/waits/')).data.value as Kind[] });
  }
  const seen = new Set<string>();
  for (const { who, kinds } of known.values()) {
    const fresh = kinds.filter(({ key, count }) => count > 0 && !seen.has(key));
    if (fresh.length === 0) continue;
    const page = await enter(browser, baseURL, who.token);
    for (const { key, page: component, path, count, aside } of fresh) {
      seen.add(key);
      await open(page, path);
      const told = async () =>
        tabsOf[key]
          ? (await tabs(page).allTextContents())
              .filter((text) => tabsOf[key]!.some((title) => text.startsWith(title)))
              .reduce((sum, text) => sum + numberIn(text), 0)
          : totalOf(page);
      await expect.poll(told, { message: `the list of ${key}` }).toBe(count + aside);
      const own = ownNumbers[component];
      const beside = own
        ? ((await who.ask('GET', own)).data.total as number)
        : kinds.filter((kind) => kind.page === component).reduce((sum, kind) => sum + kind.count + kind.aside, 0);
      // A page that everybody may read need not be in everybody's menu.
      const item = page.locator('nav.second a[aria-current=page]');
      if ((await item.count()) === 0) continue;
      const badge = item.locator('.count');
      // Nothing stands beside a page that counts none.
      const shown = async () => numberIn((await badge.allTextContents())[0]);
      await expect.poll(shown, { message: `beside ${path}` }).toBe(beside);
    }
    await page.context().close();
  }
  expect(seen.size).toBeGreaterThan(12);
});

test('the number on a tab is the total of the list that it opens', async ({ browser, baseURL }) => {
  for (const [name, path] of tabbed) {
    const page = await enter(browser, baseURL, (await caller(baseURL, name)).token);
    await open(page, path);
    const titles = (await tabs(page).allTextContents()).map((text) => text.replace(/[\s\d+]+$/, ''));
    expect(titles.length, path).toBeGreaterThan(1);
    for (const title of titles) {
      const tab = tabs(page).filter({ hasText: new RegExp(`^${title}[\\s\\d+]*$`) });
      await tab.click();
      await expect(tab).toHaveAttribute('aria-pressed', 'true');
      await expect
        .poll(
          async () => {
            const said = await tab.textContent();
            return [numberIn(said), (await totalOf(page)) === numberIn(said)];
          },
          { message: `${path} ${title}` },
        )
        .toEqual([expect.any(Number), true]);
    }
    await page.context().close();
  }
});
