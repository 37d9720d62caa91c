import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { Readable } from 'node:stream';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
const put = (office: TestOffice) =>
  office.services.fileStore.store.put('trial/one', Readable.from([Buffer.from('x')])).then(
    () => 'taken',
    (error: Error) => error.message,
  );
const apart = '各节点的文件存放处不是同一处，存入的文件在别处会打不开，暂不能上传，请联系管理员';

test('nodes that keep their files in different places detect it and accept none', { timeout: 180_000 }, async () => {
  const beside = await app.secondNode();
  await new Promise((done) => setTimeout(done, 3000));
  expect([await put(app), await put(beside)]).toEqual(['taken', 'taken']);
  await beside.close();
  const elsewhere = await app.secondNode(true);
  try {
    await eventually(async () => expect([await put(app), await put(elsewhere)]).toEqual([apart, apart]));
  } finally {
    await elsewhere.close();
  }
});
