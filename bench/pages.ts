import type { Page } from '@playwright/test';
import { menuPages, type MenuRow } from '#apps/server/testing/menu-pages.ts';
import { countBytes, inBrowser, signedIn } from './browser.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const reactionAim = 100;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** Milliseconds from the start of loading until a page has its heading and no placeholders. */
async function usableAfter(page: Page, path: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const after = await page.waitForFunction(
    () => {
      const seen = (one: Element) => one.checkVisibility();
      const headed = [...document.querySelectorAll('main :is(h1, h2, h3)')].some(seen);
      const unfinished = document.querySelectorAll('main :is(.ant-skeleton, .ant-spin-spinning, .kit-dimmed)');
      return headed && ![...unfinished].some(seen) && performance.now();
    },
    undefined,
    { polling: 'raf', timeout: 60_000 },
  );
  return Number(await after.jsonValue());
}

interface Watched {
  reactions: number[];
  tasks: number[];
}

/** Runs in the page before anything else: records how long each press took to show an effect, and each task that blocked the page. */
function watch(): void {
  const watched: Watched = { reactions: [], tasks: [] };
  Object.assign(window, { watched });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0) watched.reactions.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** The records since the last call. */
const seenSince = async (page: Page): Promise<Watched> => {
  await page.waitForLoadState('networkidle');
  // Entries arrive after the frame that they describe.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 250)));
  return page.evaluate(() => {
    const { watched } = window as unknown as { watched: Watched };
    return { reactions: watched.reactions.splice(0), tasks: watched.tasks.splice(0) };
  });
};

/** Measures when each page of the menu is usable, and the bytes transferred with an empty cache. */
export const measurePages = (stage: Stage, times: number): Promise<Table> =>
  inBrowser(async (browser) => {
    const token = await stage.signIn('admin');
    const answer = await fetch(`${stage.url}/api/accounts/menu/web_router/`, {
      headers: { authorization: `JWT ${token}` },
    });
    const { data } = (await answer.json()) as { data: MenuRow[] };
    const rows: Table['rows'] = [];
    for (const { name, path } of menuPages(data)) {
      const page = await signedIn(browser, stage.url, token);
      const bytes = await countBytes(page);
      const took = [await usableAfter(page, path)];
      await page.waitForLoadState('networkidle');
      const travelled = bytes();
      while (took.length < times) took.push(await usableAfter(page, path));
      rows.push([name, path, shown(median(took), 0), shown(took[0]!, 0), shown(travelled)]);
      await page.context().close();
    }
    return {
      name: 'pages',
      title: '每一个页面',
      about: `管理员，1440 px，100,000 张工单和演示数据；从开始打开到有标题、没有占位、没有变淡的行。每页打开 ${times} 次取中位数，第一次是空缓存，KB 是那一次的全部传输量，含外壳。机器忙的时候都慢，多慢看同一次运行的“网页”。`,
      columns: ['页面', '地址', '可用 ms', '空缓存 ms', 'KB'],
      rows,
    };
  });

/** Measures the time from a press on a list of fifty rows to a visible effect, and the tasks that block the page meanwhile. */
export const measurePresses = (stage: Stage, times: number): Promise<Table> =>
  inBrowser(async (browser) => {
    const page = await signedIn(browser, stage.url, await stage.signIn('admin'));
    await page.addInitScript(watch);
    const list = '/ticket/all?per_page=50';
    const log = '/system/log?per_page=50';
    const row = page.locator('.ant-table-row').nth(3);
    const presses: [name: string, list: string, press: () => Promise<unknown>][] = [
      ['选择一行（操作日志）', log, () => row.getByRole('checkbox').click()],
      ['打开列设置', list, () => page.getByRole('button', { name: '列设置' }).click()],
      ['打开视图', list, () => page.getByRole('button', { name: '视图', exact: true }).click()],
      ['输入一个字', list, () => page.getByPlaceholder('请输入关键字').press('a')],
      ['下一页', list, () => page.getByRole('button', { name: '下一页' }).click()],
      ['打开命令面板', list, () => page.keyboard.press('Control+k')],
      ['打开一张工单', list, () => row.getByRole('link').first().click()],
    ];
    await usableAfter(page, list);
    const loads: number[][] = [];
    const taken = new Map<string, Watched[]>(presses.map(([name]) => [name, []]));
    for (let time = 0; time < times; time++) {
      await usableAfter(page, list);
      loads.push((await seenSince(page)).tasks);
      for (const [name, from, press] of presses) {
        await usableAfter(page, from);
        await seenSince(page);
        await press();
        taken.get(name)!.push(await seenSince(page));
      }
    }
    const most = (values: readonly number[]) => Math.max(0, ...values);
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const told = (tasks: number[][]) => [shown(median(tasks.map(sum)), 0), shown(most(tasks.map(most)), 0)];
    return {
      name: 'presses',
      title: '按下之后',
      about: `工单列表一页 50 行，管理员，各 ${times} 次取中位数。反应：从按下到画出第一个变化（Event Timing，低于 16 ms 的不计）。长任务：超过 50 ms 的任务合计，及其中最长的一个。目标：反应 ${reactionAim} ms 以内。`,
      columns: ['操作', '反应 ms', '目标 ms', '长任务合计 ms', '最长 ms'],
      rows: [
        ['打开列表', '—', '—', ...told(loads)],
        ...[...taken].map(([name, all]) => {
          const reaction = median(all.map(({ reactions }) => most(reactions)));
          return [
            name,
            reaction === 0 ? '< 16' : shown(reaction, 0),
            reactionAim,
            ...told(all.map(({ tasks }) => tasks)),
          ];
        }),
      ],
    };
  });
