import { expect, type Page } from '@playwright/test';
import { caller, enter, test } from './office.ts';

const tablet = { viewport: { width: 820, height: 1180 }, hasTouch: true };

/** Moves a pen over the page, with the events of a tablet; positions are fractions of the page’s width and height. */
async function drawWith(page: Page, places: readonly (readonly [number, number])[]): Promise<void> {
  const sheet = (await page.locator('canvas[aria-label="第 1 页批注"]').boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = ([x, y]: readonly [number, number]) => ({ x: sheet.x + x * sheet.width, y: sheet.y + y * sheet.width });
  const pen = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', place: readonly [number, number]) =>
    session.send('Input.dispatchMouseEvent', {
      ...at(place),
      type,
      pointerType: 'pen',
      button: 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: 1,
    });
  await pen('mousePressed', places[0]!);
  for (const place of places.slice(1)) await pen('mouseMoved', place);
  await pen('mouseReleased', places.at(-1)!);
  await session.detach();
}

test('a department’s leader marks a letter on a tablet by pen: saved, erased, seen by its author, and printed', async ({
  browser,
  baseURL,
}) => {
  const author = await caller(baseURL, 'shen.lijuan');
  const made = await author.ask('POST', '/api/document/', {
    doc_kind: 1,
    doc_type: 8,
    title: '关于平板批注的通知',
    issue_org: '示范大学',
    main_send: [{ type: 'org', name: '各学院' }],
    body_html: '<p>现将平板批注的有关事项通知如下。</p>',
    submit: true,
  });
  expect(made, made.msg).toMatchObject({ code: 0 });
  const address = `/document/detail/${made.data.id}`;

  const head = await caller(baseURL, 'guo.zhenhua');
  const page = await enter(browser, baseURL, head.token, tablet);
  await page.goto(address);
  await page.getByRole('button', { name: '在版面上批注' }).tap();
  const drawer = page.getByRole('dialog');
  const sheet = drawer.locator('canvas[aria-label="第 1 页批注"]');
  await expect(sheet).toBeVisible({ timeout: 120_000 });
  const said = drawer.getByText('写下的都已保存');
  const strokes = drawer.locator('.pdf-page').first().locator('.mark-layer path:not(.mark-own)');
  // 圈阅: a ring, and a line below it.
  const ring = Array.from({ length: 25 }, (_none, at) => {
    const turn = (at / 24) * 2 * Math.PI;
    return [0.5 + 0.08 * Math.cos(turn), 0.3 + 0.04 * Math.sin(turn)] as const;
  });
  await drawWith(page, ring);
  await expect(strokes).toHaveCount(1);
  await expect(said).toBeVisible();
  await drawer.getByText('蓝笔').tap();
  await drawWith(page, [
    [0.3, 0.45],
    [0.5, 0.46],
    [0.7, 0.45],
  ]);
  await expect(strokes).toHaveCount(2);
  await expect(said).toBeVisible();
  await expect(drawer.getByRole('checkbox', { name: '郭振华 2 笔' })).toBeChecked();
  // The stroke is at the pen's position, and the page does not scroll sideways.
  const page1 = (await drawer.locator('.pdf-page').first().boundingBox())!;
  const drawn = (await strokes.first().boundingBox())!;
  expect(Math.abs(drawn.x + drawn.width / 2 - page1.x - page1.width / 2)).toBeLessThan(page1.width * 0.02);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(820);

  await drawer.getByText('擦除').tap();
  await page.mouse.click(page1.x + 0.5 * page1.width, page1.y + 0.455 * page1.width);
  await expect(strokes).toHaveCount(1);
  await expect(drawer.getByRole('checkbox', { name: '郭振华 1 笔' })).toBeVisible();

  // The author sees it, cannot draw, and has it on the printout.
  const reader = await enter(browser, baseURL, author.token);
  await reader.goto(address);
  await expect(reader.getByRole('region', { name: '手写批注' })).toContainText('郭振华 在第 1 页批注 1 笔');
  await reader.getByRole('button', { name: '查看批注' }).click();
  const seen = reader.getByRole('dialog');
  await expect(seen.locator('.mark-layer path')).toHaveCount(1, { timeout: 120_000 });
  await expect(seen.getByRole('toolbar', { name: '批注工具' })).toHaveCount(0);
  const saved = reader.waitForEvent('download');
  await seen.getByRole('button', { name: '下载带批注的版面' }).click();
  expect((await saved).suggestedFilename()).toBe('关于平板批注的通知（带批注）.pdf');
});
