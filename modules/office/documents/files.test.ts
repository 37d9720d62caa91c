import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { openDiscovery, setEditor } from '#modules/platform/wopi/testing/discovery.ts';
import { openEditor, send } from '#modules/platform/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { bodyUnread, editorOpen, lockedByOwn, noSuchVersion, savedMeanwhile } from './contract/files/file-refusals.ts';
import { documentFiles } from './contract/files/files.ts';
import { bodiesOf, readLater } from './service.ts';
import { openSchool, type School } from './testing/school.ts';
import { wordOf } from './testing/word.ts';

let school: School;
let discovery: Awaited<ReturnType<typeof openDiscovery>>;
beforeAll(async () => {
  school = await openSchool({ outgoingAllow: ['127.0.0.1'] });
  discovery = await openDiscovery();
  await setEditor(school.office, discovery.url);
}, 180_000);
afterAll(async () => {
  await school.office.close();
  await discovery.close();
});

const filesOf = async (who: Client, document_id: number) =>
  (await who.get(documentFiles.attachments, { query: { document_id } })).value;
const upload = async (
  who: Client,
  placeId: number,
  content: string | Uint8Array,
  version_no?: number,
  name = '正文.txt',
) =>
  who.ask(documentFiles.addVersion, {
    body: {
      id: placeId,
      file: await send(who, content, name),
      reason: '改错字',
      ...(version_no ? { version_no } : {}),
    },
  });
const bytes = async (who: Client, fileId: number) =>
  Buffer.from(await (await who.fetch(`/api/file/${fileId}/`)).arrayBuffer());
const text = async (who: Client, fileId: number) => (await who.fetch(`/api/file/${fileId}/`)).text();

describe('a file of a document', () => {
  test('keeps every version with its author and reason, for those who see the document', async () => {
    const { author, head, stranger, leader, write } = school;
    const attached = await send(author, '名单', '名单.csv');
    const { id } = await write({ body_file: await send(author, wordOf('初稿'), '正文.docx'), attachments: [attached] });
    const [body, list] = await filesOf(head, id);
    expect([body!.kind, body!.actions, list!.kind, list!.name]).toEqual([
      'body',
      ['upload', 'open', 'edit'],
      'attachment',
      '名单.csv',
    ]);
    expect((await upload(head, body!.id, wordOf('部门改稿'), 1, '正文.docx')).code).toBe(0);
    expect((await upload(head, list!.id, '名单甲', 1, '名单甲.csv')).code).toBe(0);
    const [after, listAfter] = await filesOf(author, id);
    expect(after!.versions.map((one) => [one.version_no, one.editor_info.alias, one.reason])).toEqual([
      [2, '李处长', '改错字'],
      [1, '张拟稿', ''],
    ]);
    const detail = await school.detail(author, id);
    expect([detail.body_file?.id, detail.attachments.map((one) => one.id)]).toEqual([
      after!.file.id,
      [listAfter!.file.id],
    ]);
    const first = after!.versions[1]!.file;
    expect([await bytes(author, first.id), await bytes(author, after!.file.id)]).toEqual(
      ['初稿', '部门改稿'].map((words) => Buffer.from(wordOf(words))),
    );
    expect((await fetch(school.office.url + first.url)).status).toBe(200);
    for (const who of [stranger, leader]) {
      for (const { file } of [...after!.versions, ...listAfter!.versions])
        for (const part of ['', 'preview/'])
          expect(await (await who.fetch(`/api/file/${file.id}/${part}`)).json()).toMatchObject({ code: 4004 });
      expect((await who.ask(documentFiles.attachments, { query: { document_id: id } })).code).toBe(4004);
      expect((await who.ask(documentFiles.open, { params: { id: after!.id } })).code).toBe(4004);
      expect((await upload(who, after!.id, '外人')).code).toBe(4004);
      const sent = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'x' };
      const answer = await who.fetch(`/api/document/file_wopi/${after!.id}/`, sent);
      expect(await answer.json()).toMatchObject({ code: 4004 });
    }
    const borrowed = first.url.replace(/u=\d+/, `u=${stranger.userId}`);
    expect((await (await fetch(school.office.url + borrowed)).json()) as object).toMatchObject({ code: 401 });
  });

  test('can be restored from an earlier version, which becomes the newest, without losing later ones', async () => {
    const { author, head, stranger, write } = school;
    const body_file = await send(author, wordOf('初稿'), '正文.docx');
    const { id } = await write({ body_file, attachments: [await send(author, '名单', '名单.csv')] });
    const [body, list] = await filesOf(head, id);
    for (const [place, content] of [
      [body!, wordOf('改稿')],
      [list!, '名单甲'],
    ] as const)
      expect((await upload(head, place.id, content, 1, place.name)).code).toBe(0);
    const restore = (who: Client, place: number, restored_no: number, version_no = 2) =>
      who.ask(documentFiles.restoreVersion, { params: { id: place }, body: { restored_no, version_no } });
    expect(await restore(stranger, list!.id, 1)).toMatchObject({ code: 4004 });
    expect(await restore(head, list!.id, 2)).toRefuse(noSuchVersion);
    expect(await restore(head, list!.id, 7)).toRefuse(noSuchVersion);
    for (const { id: place } of [body!, list!]) expect((await restore(head, place, 1)).code).toBe(0);
    expect(await restore(head, list!.id, 2)).toRefuse(savedMeanwhile);
    const [bodyAfter, after] = await filesOf(head, id);
    expect(after!.versions.map((one) => [one.version_no, one.reason])).toEqual([
      [3, '恢复第 1 版'],
      [2, '改错字'],
      [1, ''],
    ]);
    expect(await text(head, after!.file.id)).toBe('名单');
    const detail = await school.detail(author, id);
    expect([detail.body_file?.id, detail.attachments.map((one) => one.id)]).toEqual([body_file, [after!.file.id]]);
    expect(bodyAfter!.version_no).toBe(3);
    expect((await restore(head, list!.id, 2, 3)).code).toBe(0);
  });

  test('saved by two people at once tells the second about the first', async () => {
    const { author, head, clerk, write, goOn } = school;
    const { id, ticket_id } = await write({ attachments: [await send(author, '初稿')] });
    const [body] = await filesOf(head, id);
    const answers = await Promise.all([upload(head, body!.id, '甲', 1), upload(head, body!.id, '乙', 1)]);
    expect(answers.map((answer) => answer.code).toSorted()).toEqual([0, 4011]);
    const late = answers.find((answer) => answer.code !== 0)!;
    expect([late.msg, late.data]).toEqual([
      '“正文.txt”刚由李处长保存为第 2 版，请先查看该版，再决定是否上传',
      { current: { version_no: 2, editor_alias: '李处长' } },
    ]);
    await goOn(ticket_id, 7);
    expect((await upload(head, body!.id, '已不在手上', 2)).msg).toContain('现在不能由您更换');
    expect((await upload(clerk, body!.id, '办公室改稿', 2)).code).toBe(0);
  });

  test('being edited refuses other edits by every route, naming the editor and the time', async () => {
    const { author, office: app, write } = school;
    const { id } = await write({ submit: false, attachments: [await send(author, '初稿')] });
    const [body] = await filesOf(author, id);
    const { access_token } = await author.get(documentFiles.open, { params: { id: body!.id } });
    const editor = openEditor(app.url, body!.id, access_token);
    await editor.lock('A');
    const mine = (await filesOf(author, id))[0]!;
    expect(mine.lock).toMatchObject({ by_info: { alias: '张拟稿' }, mine: true });
    // Their own editor would overwrite the upload.
    expect(await upload(author, body!.id, '自己的', 1)).toRefuse(lockedByOwn);
    await editor.put('自己的', 'A');
    // The same lock, held by somebody else.
    await app.services.databases.write((tx) =>
      tx.execute(sql`update document_file set locked_by = ${school.head.userId} where id = ${body!.id}`),
    );
    const refused = await upload(author, body!.id, '别人的');
    const until = mine.lock!.until.slice(0, 16);
    expect([refused.code, refused.msg]).toEqual([
      4009,
      `“正文.txt”正由李处长在线编辑，锁定至 ${until}，请等对方关闭后再保存，或与对方联系`,
    ]);
    const patch = (change: object) => author.ask(documents.update, { params: { id }, body: change });
    expect((await patch({ attachments: [await send(author, '换附件')] })).code).toBe(4009);
    expect((await patch({ attachments: [] })).code).toBe(4009);
    const bytes = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: '直接保存' };
    const raw = () => author.fetch(`/api/document/file_wopi/${body!.id}/?version_no=2&reason=x`, bytes);
    expect(await (await raw()).json()).toMatchObject({ code: 4009 });
    await editor.unlock('A');
    expect(await (await raw()).json()).toMatchObject({ code: 0, data: { value: { version_no: 3, reason: 'x' } } });
    expect(await (await raw()).json()).toMatchObject({ code: 4011 });
  });

  test('open in an editor keeps the document in its state until it is saved and closed', async () => {
    const { author, head, leader, office: app, write, handle, hire } = school;
    const { id, ticket_id } = await write({ attachments: [await send(author, '送审稿')] });
    const [file] = await filesOf(head, id);
    const { access_token } = await head.get(documentFiles.open, { params: { id: file!.id } });
    const editor = openEditor(app.url, file!.id, access_token);
    await editor.lock('A');
    const { lock } = (await filesOf(head, id))[0]!;
    const asked = await handle(head, ticket_id, 3);
    expect([asked.code, asked.msg]).toEqual([
      4009,
      `“正文.txt”正由李处长在线编辑（锁定至 ${lock!.until.slice(0, 16)}），可能有内容还没有保存，请关闭编辑后再办理；编辑窗口已不在的，先在文件处选择“结束编辑”`,
    ]);
    const params = { id: ticket_id };
    const suggestion = '先放一放';
    expect(await handle(head, ticket_id, 4)).toRefuse(editorOpen);
    expect(await author.ask(ticketActions.retreat, { params, body: { suggestion } })).toRefuse(editorOpen);
    // The new handler finds the file still open, and may end that.
    const other = await hire('钱副处长');
    await head.get(ticketActions.deliver, { params, body: { target_username: other.username, suggestion } });
    expect(await handle(other, ticket_id, 3)).toRefuse(editorOpen);
    expect((await leader.ask(documentFiles.release, { params: { id: file!.id } })).code).not.toBe(0);
    await other.get(ticketActions.deliver, { params, body: { target_username: head.username, suggestion } });
    expect((await editor.put('还没有保存的一句', 'A')).status).toBe(200);
    await editor.unlock('A');
    expect((await handle(head, ticket_id, 3)).code).toBe(0);
    expect(await text(author, (await filesOf(author, id))[0]!.file.id)).toBe('还没有保存的一句');
  });

  test('saved by an editor as the body is parsed before the document moves on, and no unparsed body is signed', async () => {
    const { author, head, leader, clerk, issuer, office: app, write, handle } = school;
    const report = { doc_type: 10, title: '关于期末工作的报告', body_html: '', issuer };
    const { ticket_id, id } = await write({ ...report, body_file: await send(author, wordOf('初稿'), '正文.docx') });
    const save = async (who: Client, words: string) => {
      const [file] = await filesOf(who, id);
      const { access_token } = await who.get(documentFiles.open, { params: { id: file!.id } });
      const editor = openEditor(app.url, file!.id, access_token);
      await editor.lock('A');
      expect((await editor.put(Buffer.from(wordOf(words)), 'A')).status).toBe(200);
      await editor.unlock('A');
      return (await filesOf(who, id))[0]!.file.id;
    };
    const untilRead = async (file: number) => {
      const isRead = async () => (await bodiesOf(app.services.databases.fresh, [file])).has(file);
      await expect.poll(isRead).toBe(true);
    };
    /** Puts the file back into the state before the job has read it. */
    const unread = async (file: number) => {
      await untilRead(file);
      await app.services.databases.write((tx) =>
        tx.execute(sql`delete from document_body b using file f where f.id = ${file} and f.sha256 = b.sha256`),
      );
    };
    const read = async (file: number) => {
      await app.services.databases.write((tx) => readLater(tx, file));
      await untilRead(file);
    };
    const file = await save(head, '以上意见请予批准。');
    await unread(file);
    expect(await handle(head, ticket_id, 3)).toRefuse(bodyUnread);
    await read(file);
    expect((await handle(head, ticket_id, 3)).msg).toContain('正文里有“请予批准”');
    await read(await save(head, '现将期末工作报告如下。'));
    expect((await handle(head, ticket_id, 3)).code).toBe(0);
    expect((await handle(clerk, ticket_id, 7, { issuer })).code).toBe(0);
    expect((await handle(leader, ticket_id, 9)).code).toBe(0);
    const last = await save(school.main, '现将期末工作报告如下，请审阅。');
    await unread(last);
    expect(await handle(school.main, ticket_id, 11)).toRefuse(bodyUnread);
    await read(last);
    expect((await handle(school.main, ticket_id, 11)).code).toBe(0);
    expect((await school.detail(clerk, id)).body_file?.id).toBe(last);
  });

  test('accepts a new version only in the same format and only from one’s own upload', async () => {
    const { author, head, write } = school;
    const { id } = await write({ submit: false, attachments: [await send(author, '初稿')] });
    const [body] = await filesOf(author, id);
    const other = await upload(author, body!.id, 'a,b', 1, '表.csv');
    expect([other.code, other.msg]).toEqual([-1, expect.stringContaining('须与原文件同为 txt 文件')]);
    const foreign = { id: body!.id, file: await send(head, '别人的上传') };
    expect((await author.ask(documentFiles.addVersion, { body: foreign })).code).toBe(-1);
    expect((await filesOf(author, id))[0]!.version_no).toBe(1);
  });

  test('removed from a draft leaves nothing, and removed after submission leaves its versions', async () => {
    const { author, write, handle, head } = school;
    const attached = async (submit: boolean) => {
      const made = await write({ submit, attachments: [await send(author, '名单', '名单.csv')] });
      const [list] = await filesOf(author, made.id);
      return { ...made, list: list! };
    };
    const draft = await attached(false);
    await author.get(documents.update, { params: { id: draft.id }, body: { attachments: [] } });
    expect(await filesOf(author, draft.id)).toEqual([]);
    expect(await (await author.fetch(`/api/file/${draft.list.file.id}/`)).json()).toMatchObject({ code: 4004 });
    const sent = await attached(true);
    await handle(head, sent.ticket_id, 4);
    await author.get(documents.update, { params: { id: sent.id }, body: { attachments: [] } });
    const [gone] = await filesOf(author, sent.id);
    expect([gone!.removed_at === null, gone!.actions]).toEqual([false, []]);
    expect(await text(author, gone!.file.id)).toBe('名单');
    expect((await author.ask(documentFiles.open, { params: { id: gone!.id } })).code).toBe(4004);
  });

  test('cannot change after the signature except in the review, which then returns to the signer', async () => {
    const { author, clerk, main, write, goOn, handle } = school;
    const { id, ticket_id } = await write({ attachments: [await send(author, '送签稿')] });
    await goOn(ticket_id, 13);
    const [body] = await filesOf(clerk, id);
    const before = (await school.detail(clerk, id)).body_sha256;
    expect((await upload(clerk, body!.id, '复核改稿', 1)).code).toBe(0);
    expect((await clerk.get(documentFiles.attachments, { query: { document_id: id } })).changed_since_signing).toBe(
      true,
    );
    const onward = await handle(clerk, ticket_id, 13);
    expect([onward.code, onward.msg]).toEqual([4010, expect.stringContaining('须由原签发人复审')]);
    expect((await handle(clerk, ticket_id, 14)).code).toBe(0);
    expect((await upload(main, body!.id, '签发人改', 2)).code).toBe(4010);
    expect((await handle(main, ticket_id, 11)).code).toBe(0);
    expect((await school.detail(clerk, id)).body_sha256).not.toBe(before);
    expect((await handle(clerk, ticket_id, 13)).code).toBe(0);
    expect((await upload(clerk, body!.id, '编号时改', 2)).code).toBe(4010);
    const { access_token, may_write } = await clerk.get(documentFiles.open, { params: { id: body!.id } });
    expect([may_write, (await openEditor(school.office.url, body!.id, access_token).lock('A')).status]).toEqual([
      false,
      401,
    ]);
  });

  test('of a secret document cannot be opened in an editor, and earlier tokens for it stop being valid', async () => {
    const { author, office: app, write } = school;
    const { id } = await write({ submit: false, attachments: [await send(author, '初稿')] });
    const [body] = await filesOf(author, id);
    const { access_token } = await author.get(documentFiles.open, { params: { id: body!.id } });
    const editor = openEditor(app.url, body!.id, access_token);
    await editor.lock('A');
    const allow = (allow_secret: boolean) => app.admin.get(settings.saveSite, { body: { allow_secret } });
    await allow(true);
    try {
      const secret = { secret_level: 1, secret_period: '10年', copy_no: '000001' };
      await author.get(documents.update, { params: { id }, body: secret });
      const refused = await author.ask(documentFiles.open, { params: { id: body!.id } });
      expect([refused.code, refused.msg]).toEqual([-1, '“正文.txt”属于涉密公文，不能在线打开或编辑']);
      const asked = [editor.info(), editor.get(), editor.put('泄露', 'A'), editor.lock('A'), editor.getLock()];
      expect((await Promise.all(asked)).map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404]);
      expect((await filesOf(author, id))[0]!.actions).toEqual(['upload']);
    } finally {
      await allow(false);
    }
  });

  test('is served by the editor protocol also at its own address, with a token', async () => {
    const { author, office: app, write } = school;
    const { id } = await write({ submit: false, attachments: [await send(author, '初稿')] });
    const [body] = await filesOf(author, id);
    const { access_token, access_token_ttl } = await author.get(documentFiles.open, { params: { id: body!.id } });
    expect([access_token_ttl > Date.now(), access_token_ttl < Date.now() + 61 * 60_000]).toEqual([true, true]);
    const at = `${app.url}/api/document/file_wopi/${body!.id}/?access_token=${access_token}`;
    expect(await (await fetch(at)).json()).toMatchObject({ BaseFileName: '正文.txt', Version: '1' });
    const put = (lock: string) =>
      fetch(at, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'x-wopi-lock': lock },
        body: '第二版',
      });
    const unlocked = await put('A');
    expect([unlocked.status, unlocked.headers.get('x-wopi-lock')]).toEqual([409, '']);
    await openEditor(app.url, body!.id, access_token).lock('A');
    const other = await put('B');
    expect([other.status, other.headers.get('x-wopi-lock')]).toEqual([409, 'A']);
    expect([(await put('A')).status, (await filesOf(author, id))[0]!.version_no]).toEqual([200, 2]);
    expect((await fetch(`${at}x`)).status).toBe(401);
  });
});
