import { expect } from '@playwright/test';
import { scene } from '#modules/services/photos/testing/scene.ts';
import { caller, enter, test } from './office.ts';

const [different, twice] = [50, 10];

test('sixty photos are uploaded over an interrupted line, duplicates named, reviewed by keyboard, shown and downloaded; withdrawn consent removes one', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(500_000);
  const title = `运动会${test.info().retry}`;
  // Different seeds for each try, because photos that were sent before are recognised.
  const from = 5000 + 1000 * test.info().retry;
  const drawn = await Promise.all(
    Array.from({ length: different }, (_one, n) =>
      scene(from + n, 240, 160)
        .jpeg({ quality: 70 })
        .toBuffer(),
    ),
  );
  const files = [...drawn, ...drawn.slice(0, twice)].map((buffer, n) => ({
    name: `IMG_${n}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }));
  const sender = await enter(browser, baseURL, (await caller(baseURL, 'qin.haoyu')).token);
  const keeper = await caller(baseURL, 'hou.zhenyu');
  const albums = (await keeper.ask('GET', '/api/photo/category/')).data as { id: number; name: string }[];
  const album = albums.find((one) => one.name === '活动')!.id;

  await sender.goto(`/photo/mine?upload=${album}`);
  const drawer = sender.getByRole('dialog', { name: '上传照片' });
  await drawer.getByLabel('标题').fill(title);
  await drawer.getByLabel('摄影', { exact: true }).fill('秦浩宇');
  await drawer.getByLabel('有可识别的人物').click();
  await drawer.getByLabel('人物授权').click();
  await sender.locator('.ant-select-item-option').last().click();
  // One upload is cut off, and so is the answer to a batch: both are sent again automatically.
  const cuts = { upload: 0, batch: 0 };
  await sender.route('**/api/file/upload/', (route) => (++cuts.upload === 7 ? route.abort() : route.continue()));
  await sender.route('**/api/photo/batch/', async (route) => {
    if (++cuts.batch !== 2) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await drawer.getByLabel('选择照片', { exact: true }).setInputFiles(files);
  await expect(drawer.getByText(`${different} 张已提交，${twice} 张重复，0 张失败`)).toBeVisible({ timeout: 120_000 });
  expect(cuts.upload).toBeGreaterThan(different);
  expect(cuts.batch).toBeGreaterThan(2);

  const desk = await enter(browser, baseURL, keeper.token);
  const sent = (await keeper.ask('GET', `/api/photo/?state=0&search_value=${encodeURIComponent(title)}`)).data.value;
  await desk.goto(`/photo/manage?view=review&uploader=${sent[0].uploader}`);
  const cards = desk.getByRole('list', { name: '待审照片' });
  await expect(cards.getByRole('button').first()).toBeVisible();
  const waiting = await cards.getByRole('button').count();
  for (let n = 0; n < waiting; n += 1) await desk.keyboard.press('1');
  await expect(desk.getByText(`已审 ${waiting} / ${waiting}`)).toBeVisible();
  await desk.keyboard.press('z');
  await expect(desk.getByText(`已审 ${waiting - 1} / ${waiting}`)).toBeVisible();

  const shown = async () =>
    (await keeper.ask('GET', `/api/photo/?state=1&per_page=100&search_value=${encodeURIComponent(title)}`)).data.value;
  await expect.poll(async () => ((await shown()) as object[]).length).toBeGreaterThan(different / 2);
  await sender.goto(`/photo/list?search_value=${encodeURIComponent(title)}`);
  await expect(sender.getByRole('region', { name: '图库' }).locator('img').first()).toBeVisible();
  await desk.goto(`/photo/manage?view=list&state=1&search_value=${encodeURIComponent(title)}`);
  await desk.locator('.ant-table-thead input[type=checkbox]').check();
  const coming = desk.waitForEvent('download');
  await desk.getByRole('button', { name: '打包下载' }).click();
  expect((await coming).suggestedFilename()).toMatch(/^照片 \d+ 张\.zip$/);
  const [one] = (await shown()) as { id: number; title: string }[];
  for (const width of [1440, 390]) {
    await sender.setViewportSize({ width, height: 900 });
    await sender.goto(`/photo/list?search_value=${encodeURIComponent(title)}`);
    await expect(sender.locator('.photo-page img').first()).toBeVisible();
    expect(await sender.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await sender.setViewportSize({ width: 1440, height: 900 });
  await sender.goto(`/photo/detail/${one!.id}`);
  await sender.getByRole('button', { name: '撤回授权' }).click();
  await sender.getByRole('dialog').getByLabel('原因').fill('本人不愿再展示');
  await sender.getByRole('dialog').getByRole('button', { name: '撤回授权并下架' }).click();
  await expect(sender.getByRole('heading', { name: one!.title })).toContainText('已下架');
  await expect.poll(async () => ((await shown()) as { id: number }[]).some(({ id }) => id === one!.id)).toBe(false);
});
