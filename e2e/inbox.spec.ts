import { expect, type Page } from '@playwright/test';
import { caller, enter, stand, test, type Caller } from './office.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
let origin: string | undefined;
let song: Caller;
let qin: Caller;
let page: Page;

/** Creates a leave of 秦浩宇 that waits for 宋明杰; returns its id, and the id of its row among everything that waits. */
async function leave(reason: string): Promise<{ id: number; row: string }> {
  const flows = await qin.ask('GET', '/api/workflows/?per_page=100');
  const { id: workflow_id } = flows.data.value.find((flow: { name: string }) => flow.name === '请假申请') as {
    id: number;
  };
  const dates = { from: '2026-12-01', to: '2026-12-02', days: 2 };
  const body = { workflow_id, transition_id: 2, kind: 'personal', reason, ...dates };
  const started = await qin.ask('POST', '/api/tickets/', body);
  expect(started).toMatchObject({ code: 0 });
  const id = started.data.id as number;
  const { data } = await song.ask('GET', '/api/waits/list/?category=ticket&per_page=100');
  return { id, row: (data.value as { of: number; id: string }[]).find((one) => one.of === id)!.id };
}
const waitsFor = async (id: number) => {
  const { data } = await song.ask('GET', '/api/tickets/?category=duty&per_page=100');
  return (data.value as { id: number }[]).some((row) => row.id === id);
};
const numbered = async () => (await song.ask('GET', '/api/waits/')).data.total as number;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }, info) => {
  origin = info.project.use.baseURL;
  [song, qin] = await Promise.all([caller(origin, 'song.mingjie'), caller(origin, 'qin.haoyu')]);
  page = await enter(browser, origin, song.token);
});

test('waiting items are opened from the menu, read and decided beside the list, the next one opens, and all counts agree', async () => {
  const [first, second] = [await leave('待办一'), await leave('待办二')];
  await stand(page);
  const entry = page.getByRole('navigation', { name: '主导航' }).getByRole('button', { name: /^待办/ });
  await expect(entry.locator('.count')).toHaveText(String(await numbered()));
  await entry.click();
  await expect(page).toHaveURL(/\/todo/);
  await expect(page.getByRole('button', { name: new RegExp(`^全部\\s*${await numbered()}$`) })).toBeVisible();

  await page.goto(`/todo?category=ticket&per_page=100&row=${first.row}`);
  const preview = page.getByRole('complementary', { name: '预览' });
  await expect(preview).toContainText('待办一');
  const rows = page.locator('tr[data-row-key]');
  const keys = await rows.evaluateAll((all) => all.map((one) => one.getAttribute('data-row-key')));
  const next = keys[keys.indexOf(first.row) + 1] ?? keys[keys.indexOf(first.row) - 1];
  const before = await numbered();
  await expect(preview.getByRole('button', { name: '同意', exact: true })).toBeEnabled();
  await page.locator('body').press('a');
  await expect.poll(() => waitsFor(first.id)).toBe(false);
  await expect(page.locator(`tr[data-row-key="${first.row}"]`)).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`row=${next?.replace('.', '\\.')}`));
  await expect(entry.locator('.count')).toHaveText(String(await numbered()));
  expect(await numbered()).toBe(before - 1);
  expect(await waitsFor(second.id)).toBe(true);
});

test('a record of another module is read on its own page beside the list, without holding the tab', async () => {
  const { data } = await song.ask('GET', '/api/waits/list/?per_page=100');
  const rows = data.value as { id: string; web_path: string; title: string }[];
  const record = rows.find(({ web_path }) => /^\/(document|meet|supervise|contract|schedule)\/.*\d$/.test(web_path))!;
  await page.goto(`/todo?per_page=100&row=${encodeURIComponent(record.id)}`);
  const preview = page.getByRole('complementary', { name: '预览' });
  await expect(preview.locator('.kit-detail-head')).toBeVisible();
  await expect(preview.getByRole('link', { name: '打开' })).toHaveAttribute('href', record.web_path);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  await expect(page.getByRole('tab', { selected: true })).toHaveText('待办');
});

test('on a phone waiting items are cards; one opens as a page, and back returns to the same place', async ({
  browser,
}) => {
  const hand = await enter(browser, origin, song.token, phone);
  await hand.goto('/todo?per_page=100');
  const cards = hand.locator('.kit-cards > li');
  await expect(cards.nth(1)).toBeVisible();
  await expect(hand.getByRole('complementary', { name: '预览' })).toHaveCount(0);
  expect(await hand.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // Opening it does not complete it, unlike items that only wait to be read.
  const last = cards.locator('a[href*="/ticket/detail/"]').last();
  await last.scrollIntoViewIfNeeded();
  await last.tap();
  await expect(hand).not.toHaveURL(/\/todo/);
  await hand.goBack();
  await expect(hand).toHaveURL(/\/todo\?per_page=100/);
  await expect(last).toBeInViewport();
  await hand.context().close();
});

test('a list that was scrolled in the very moment in which a row of it was opened returns to that place', async ({
  browser,
}) => {
  for (const reason of ['滚动一', '滚动二', '滚动三']) await leave(reason);
  const hand = await enter(browser, origin, song.token, { ...phone, viewport: { width: 390, height: 400 } });
  await hand.goto('/todo?per_page=100');
  const last = hand.locator('.kit-cards > li a[href*="/ticket/detail/"]').last();
  await expect(last).toBeVisible();
  const place = () => last.evaluate((link) => Math.round(link.getBoundingClientRect().top));
  const before = await last.evaluate((link: HTMLElement) => {
    // A busy page is hidden before the browser has told it of its last scrolling.
    addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true });
    link.scrollIntoView({ block: 'center', behavior: 'instant' });
    link.click();
    return Math.round(link.getBoundingClientRect().top);
  });
  await expect(hand).not.toHaveURL(/\/todo/);
  await hand.goBack();
  await expect(hand).toHaveURL(/\/todo\?per_page=100/);
  await expect(last).toBeInViewport();
  expect(await place()).toBeCloseTo(before, -1);
  await hand.context().close();
});

test('a waiting item put aside leaves number and list, is under 稍后 with its time, and is brought back', async () => {
  const { row } = await leave('先放一放');
  const before = await numbered();
  await page.goto(`/todo?category=ticket&per_page=100&row=${row}`);
  const line = page.locator(`tr[data-row-key="${row}"]`);
  await line.hover();
  await line.getByRole('button', { name: '稍后' }).click();
  const times = page.getByRole('group', { name: '放到稍后' });
  await times.getByRole('button', { name: /^下周/ }).click();
  await expect(line).toHaveCount(0);
  expect(await numbered()).toBe(before - 1);
  await page.getByRole('button', { name: /^稍后\s*1$/ }).click();
  await expect(page.getByRole('columnheader', { name: '回来时间' })).toBeVisible();
  await line.hover();
  await line.getByRole('button', { name: '取回' }).click();
  await expect(line).toHaveCount(0);
  await expect.poll(numbered).toBe(before);
});

test('a started item is read beside its list, and urged or withdrawn there', async ({ browser }) => {
  const { id } = await leave('我发起的');
  const mine = await enter(browser, origin, qin.token);
  await mine.goto(`/ticket/owner?row=ticket.${id}`);
  const line = mine.locator(`tr[data-row-key="ticket.${id}"]`);
  await expect(line).toContainText('宋明杰');
  await line.hover();
  await line.getByRole('button', { name: /^催办或撤回/ }).click();
  await line.getByRole('button', { name: '催办', exact: true }).click();
  await mine.getByRole('dialog').getByRole('button', { name: '催办' }).click();
  await expect(mine.getByRole('dialog')).toHaveCount(0);
  const preview = mine.getByRole('complementary', { name: '预览' });
  await expect(preview).toContainText('等待 宋明杰');
  const bar = preview.locator('footer[aria-label=操作]');
  // A person who was just urged cannot be urged again at once.
  await expect(bar.getByRole('button', { name: '催办' })).toHaveCount(0);
  await bar.getByRole('button', { name: '撤回' }).click();
  const drawer = mine.getByRole('dialog');
  await drawer.getByRole('button', { name: /撤回/ }).last().click();
  await expect.poll(() => waitsFor(id)).toBe(false);
  await mine.context().close();
});
