import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { refuse } from '#kernel/web/testing/server.ts';
import { whyNotShown } from './preview/not-shown.ts';

const server = servedPage();
const broken = { source: 5, name: '合同.pdf', error: { name: 'InvalidPDFException' } };
const why = (failed: Parameters<typeof whyNotShown>[0]) => whyNotShown(failed, new AbortController().signal);

test('a PDF that the server withholds shows the server’s reason, not the advice to download it', async () => {
  const refusal = '“合同.pdf”不能提供：它已加密、已损坏或过大，无法加水印，请联系上传人或管理员';
  server.answers(() => refuse(-1, refusal));
  expect(await why(broken)).toBe(refusal);
  expect(server.asked.map(({ path }) => path)).toEqual(['/api/file/5/preview/']);
});

test('a PDF that cannot be rendered refers to the download, without being read to its end', async () => {
  let left = false;
  server.answers((_asking, response) => {
    response.on('close', () => (left = true));
    response.setHeader('Content-Type', 'application/pdf');
    response.write('%PDF-1.7 broken');
    return undefined;
  });
  expect(await why(broken)).toBe('“合同.pdf”无法在线预览，请下载后查看');
  await expect.poll(() => left).toBe(true);
});

test('a PDF with a password, or one loaded before, is not requested again', async () => {
  server.answers(() => refuse(-1, '不应再问'));
  expect(await why({ ...broken, error: { name: 'PasswordException' } })).toBe('“合同.pdf”设有打开密码，请下载后查看');
  expect(await why({ ...broken, source: new Blob() })).toBe('“合同.pdf”无法在线预览，请下载后查看');
  expect(server.asked).toEqual([]);
});
