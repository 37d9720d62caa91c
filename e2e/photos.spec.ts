import { expect } from '@playwright/test';
import sharp from 'sharp';
import { caller, enter, test } from './office.ts';

/** Pictures of which no two look alike. */
const picture = (seed: number) =>
  sharp({
    create: {
      width: 240,
      height: 160,
      channels: 3,
      background: { r: (seed * 53) % 256, g: (seed * 97) % 256, b: (seed * 151) % 256 },
      noise: { type: 'gaussian', mean: 90 + (seed % 60), sigma: 50 },
    },
  })
    .jpeg()
    .toBuffer();

test('sixty photos are sent, ten of them twice, reviewed by keyboard, shown, and one is taken down when its consent is withdrawn', async ({
  browser,
  baseURL,
}) => {
  test.setTimeout(300_000);
  const admin = await caller(baseURL, 'admin');
  const sender = await caller(baseURL, 'shi.yufei');
  const name = `运动会${test.info().retry}`;
  const made = await admin.ask('POST', '/api/photo/category/', { name });
  expect(made, made.msg).toMatchObject({ code: 0 });
  const album = made.data.id as number;
  const bytes = await Promise.all(Array.from({ length: 50 }, (_one, n) => picture(n + 1)));
  const files = [...bytes, ...bytes.slice(0, 10)].map((buffer, n) => ({
    name: `IMG_${1000 + n}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }));

  const mine = await enter(browser, baseURL, sender.token);
  await mine.goto(`/photo/mine?upload=${album}`);
  const drawer = mine.getByRole('dialog', { name: '上传照片' });
  await drawer.getByLabel('标题').fill('春季运动会');
  await drawer.getByLabel('摄影').fill('石宇飞');
  await drawer.getByLabel('选择照片').setInputFiles(files);
  await expect(drawer.getByText('50 张已提交，10 张重复，0 张失败')).toBeVisible({ timeout: 120_000 });

  const desk = await enter(browser, baseURL, admin.token);
  const [{ uploader }] = (await admin.ask('GET', `/api/photo/?state=0&category=${album}`)).data.value as [
    { uploader: number },
  ];
  await desk.goto(`/photo/manage?uploader=${uploader}`);
  await expect(desk.getByText('已审 0 / 50')).toBeVisible();
  for (let n = 1; n <= 49; n += 1) {
    await desk.keyboard.press('1');
    await expect(desk.getByText(`已审 ${n} / 50`)).toBeVisible();
  }
  await desk.keyboard.press('z');
  await expect(desk.getByText('已审 48 / 50')).toBeVisible();
  await desk.keyboard.press('2');
  await desk.getByLabel('退回原因').fill('画面模糊');
  await desk.keyboard.press('Enter');
  await desk.getByRole('dialog').getByRole('button', { name: '退回', exact: true }).click();
  await expect(desk.getByText('已审 49 / 50')).toBeVisible();

  const wall = await enter(browser, baseURL, sender.token);
  await wall.goto(`/photo/list?category=${album}`);
  await expect(wall.getByText('48 张')).toBeVisible();
  await wall
    .getByRole('listitem', { name: /^春季运动会/ })
    .first()
    .click();
  await expect(wall).toHaveURL(/photo=\d+/);
  await wall.keyboard.press('ArrowRight');
  await wall.keyboard.press('Escape');

  const [{ id }] = (await sender.ask('GET', `/api/photo/list/?category=${album}&per_page=60`)).data.value as [
    { id: number },
  ];
  await admin.ask('PUT', `/api/photo/${id}/`, { faces: true, consent: 1 });
  await wall.goto(`/photo/detail/${id}`);
  await wall.getByRole('button', { name: '撤回授权' }).click();
  await wall.getByRole('dialog').getByLabel('原因').fill('本人要求');
  await wall.getByRole('button', { name: '撤回授权并下架' }).click();
  await expect(wall.getByText('已下架：授权撤回：本人要求')).toBeVisible();
  await wall.goto(`/photo/list?category=${album}`);
  await expect(wall.getByText('47 张')).toBeVisible();
});
