import { expect, test as base, type Browser, type Locator, type Page } from '@playwright/test';

/** Shifts the clock of a page like those of node and the database (scripts/test-dates.ts). */
function moveClock(ms: number): void {
  const True = Date;
  globalThis.Date = class extends True {
    constructor(...given: [number]) {
      super(...((given.length > 0 ? given : [True.now() + ms]) as [number]));
    }
    static override now = () => True.now() + ms;
  } as DateConstructor;
}
const movedBy = Number(process.env['CLOCK_MOVED_S'] ?? 0) * 1000;

/**
 * A test that closes all its windows at the end: an open one would receive the changes of later tests and send queries. If the test fails, it reports
 * the errors of its first window.
 */
export const test = base.extend<{ leaving: void }>({
  browser: [
    async ({ browser }, use) => {
      const open = browser.newContext.bind(browser);
      if (movedBy !== 0)
        browser.newContext = async (options) => {
          const context = await open(options);
          await context.addInitScript(moveClock, movedBy);
          return context;
        };
      await use(browser);
    },
    { scope: 'worker' },
  ],
  async page({ page }, use, info) {
    const complaints: string[] = [];
    page.on('console', (said) => said.type() === 'error' && complaints.push(said.text()));
    page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
    await use(page);
    if (info.status !== info.expectedStatus && complaints.length > 0)
      console.error(`${info.title}：${complaints.join('\n').slice(-5000)}`);
  },
  leaving: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      await use();
      await Promise.all(browser.contexts().map((one) => before.has(one) || one.close()));
    },
    { auto: true },
  ],
});

/** Password of the administrator and of every demo account in the browser tests. */
export const password = 'Gongdan@2026';

/** Signs in through the page, as a person does. */
export async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('用户名').fill(username);
  await page.getByLabel('密码').fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
  await expect(page.getByRole('banner')).toBeVisible();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /用户菜单/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await expect(page).toHaveURL(/\/login/);
}

/** The tab of a page by its title, whatever serial number follows. */
export const tab = (page: Page, title: string): Locator =>
  page.getByRole('tab').filter({ has: page.locator('.tab-title').getByText(title, { exact: true }) });
export const firstLevel = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name });

/** Opens a page through the two sidebars, and waits until it is the present one: a page left before it was shown was never visited. */
export async function goTo(page: Page, first: string, second: string): Promise<void> {
  await firstLevel(page, first).click();
  const link = page.getByRole('navigation', { name: first }).getByRole('link', { name: second });
  await link.click();
  await expect(link).toHaveAttribute('aria-current', 'page');
}

/** A person's token and calls with it, without a page. */
export interface Caller {
  token: string;
  /** Sends one call and returns the whole envelope. */
  ask(method: string, path: string, data?: unknown): Promise<Envelope>;
}
export interface Envelope {
  code: number;
  msg: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests read what the contract names; a wrong reading fails them
  data: any;
}

/** Signs in by calls; `origin` is the address of the product. */
export async function caller(origin: string | undefined, username: string, secret = password): Promise<Caller> {
  const signedIn = await envelope(origin, 'POST', '/api/accounts/login/', { username, password: secret });
  expect(signedIn.msg).not.toContain('不正确');
  const token = signedIn.data.jwt as string;
  return {
    token,
    ask: (method, path, data) => envelope(origin, method, path, data, { authorization: `JWT ${token}` }),
  };
}

async function envelope(
  origin: string | undefined,
  method: string,
  path: string,
  data?: unknown,
  headers: Record<string, string> = {},
): Promise<Envelope> {
  const said: Record<string, string> = data === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(new URL(path, origin), {
    method,
    headers: { ...headers, ...said, 'idempotency-key': crypto.randomUUID() },
    ...(data === undefined ? {} : { body: JSON.stringify(data) }),
  });
  return (await response.json()) as Envelope;
}

/** Signs another person in to a window: everything of the previous person is removed except cached files. */
export async function handOver(page: Page, token: string): Promise<void> {
  await page.context().clearCookies();
  await page.goto('/readyz');
  await page.evaluate((kept) => {
    localStorage.clear();
    sessionStorage.clear();
    localStorage.setItem('Admin-Token', kept);
  }, token);
}

/** A window that people share: returns a function that hands it to a named person. */
export function turnsAt(page: Page, origin: string | undefined): (name: string) => Promise<Caller> {
  const known = new Map<string, Caller>();
  return async (name) => {
    const who = known.get(name) ?? (await caller(origin, name));
    known.set(name, who);
    await handOver(page, who.token);
    return who;
  };
}

/** Opens a page of the office and waits until its frame is shown. */
export async function stand(page: Page, path = '/index'): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('banner')).toBeVisible();
}

/** A separate window, signed in with a token; `look` sets how it differs from the usual one. */
export async function enter(
  browser: Browser,
  origin: string | undefined,
  token: string,
  look: Parameters<Browser['newContext']>[0] = {},
): Promise<Page> {
  const context = await browser.newContext({ ...look, ...(origin ? { baseURL: origin } : {}) });
  const page = await context.newPage();
  await handOver(page, token);
  return page;
}

/** Fills in the form of 信息化服务, which must be open. */
export async function fillRepair(page: Page, title: string, amount?: string): Promise<void> {
  await page.getByLabel('标题').fill(title);
  await page.getByRole('radio', { name: '网络' }).check();
  await page.getByLabel('地点').fill('信息楼 305');
  if (amount) await page.getByLabel('预计金额').fill(amount);
  await page.getByLabel('说明').fill('水池下面的管子一直滴水');
}

/** Creates a repair of 秦浩宇 that waits for 宋明杰; returns its id. */
export async function repairWaiting(origin: string | undefined, title: string): Promise<number> {
  const qin = await caller(origin, 'qin.haoyu');
  const flows = await qin.ask('GET', '/api/workflows/?per_page=100');
  const { id } = flows.data.value.find((flow: { name: string }) => flow.name === '信息化服务') as { id: number };
  const started = await qin.ask('POST', '/api/tickets/', {
    workflow_id: id,
    transition_id: 2,
    title,
    category: 'network',
    place: '信息楼 305',
    urgency: 'normal',
    description: '一直滴水',
  });
  expect(started).toMatchObject({ code: 0 });
  return started.data.id as number;
}
