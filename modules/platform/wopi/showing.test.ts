import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import type { School } from '#modules/office/documents/testing/school.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { setEditor } from './testing/discovery.ts';
import { send } from './testing/editor.ts';
import { openStudio } from './testing/studio.ts';

vi.setConfig({ testTimeout: 180_000 });
let studio: Awaited<ReturnType<typeof openStudio>>;
let school: School;
beforeAll(async () => {
  studio = await openStudio();
  school = studio.school;
}, 180_000);
afterAll(() => studio.close());

describe('a reader without the right to change a file in an editor', () => {
  const marks = async (watermark: boolean) => {
    await school.office.admin.get(settings.saveSite, { body: { watermark } });
    const kept = async () => (await school.office.services.settings.get('site')).watermark;
    await expect.poll(kept).toBe(watermark);
  };

  test('gets a copy with their name if the site requires watermarks, while a writer gets the original', async () => {
    const { author, head, write } = school;
    const { id } = await write({ attachments: [await send(author, '送审稿')] });
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    const before = await studio.editorOf(author, place!.id);
    expect((await before.get()).text).toBe('送审稿');
    await marks(true);
    try {
      for (const reader of [before, await studio.editorOf(author, place!.id)]) {
        const { text } = await reader.get();
        expect(text).toMatch(/^\ufeff?送审稿\r\n—— 张拟稿 \S+ \d{4}-\d\d-\d\d \d\d:\d\d ——\r\n$/);
        const bytes = Buffer.byteLength(`\ufeff${text.replace(/^\ufeff/, '')}`);
        expect((await reader.info()).json()).toMatchObject({ Size: bytes, UserCanWrite: false });
        expect((await reader.get({ 'x-wopi-maxexpectedsize': String(bytes - 1) })).status).toBe(412);
      }
      const writer = await studio.editorOf(head, place!.id);
      expect([(await writer.get()).text, (await writer.info()).json()['UserCanWrite']]).toEqual(['送审稿', true]);
    } finally {
      await marks(false);
    }
  });

  test('gets nothing if the file cannot carry a watermark, whatever token they hold', async () => {
    const { author, head, write } = school;
    const layout = zipSync({ 'OFD.xml': strToU8('<x/>') });
    const { id } = await write({ attachments: [await send(author, layout, '正文.ofd')] });
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    const open = (who: Client) => who.ask(documentFiles.open, { params: { id: place!.id } });
    const reader = await studio.editorOf(author, place!.id);
    await marks(true);
    try {
      expect((await open(author)).msg).toBe('“正文.ofd”不能提供：ofd 文件不能加水印，请联系上传人或管理员');
      expect((await Promise.all([reader.get(), reader.info()])).map(({ status }) => status)).toEqual([400, 400]);
      expect((await open(head)).code).toBe(0);
    } finally {
      await marks(false);
    }
  });

  test('holds a worthless token once no editor is configured', async () => {
    const { place, editor } = await studio.begun();
    expect((await editor.info()).status).toBe(200);
    await setEditor(school.office, '');
    try {
      expect([(await editor.info()).status, (await editor.get()).status, (await editor.lock('A')).status]).toEqual([
        401, 401, 401,
      ]);
      const { access_token } = await school.author.get(documentFiles.open, { params: { id: place.id } });
      expect(access_token).toBe('');
    } finally {
      await setEditor(school.office, studio.discovery.url);
    }
    expect((await editor.info()).status).toBe(200);
  });
});
