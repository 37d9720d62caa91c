import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Client } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { editorOpen, lockedByOwn, notLocked } from '#modules/office/documents/contract/files/file-refusals.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import type { School } from '#modules/office/documents/testing/school.ts';
import { createPasses } from './editing/passes.ts';
import { testSecret } from '#apps/server/testing.ts';
import { openEditor, send } from './testing/editor.ts';
import { openStudio } from './testing/studio.ts';

vi.setConfig({ testTimeout: 180_000 });
let studio: Awaited<ReturnType<typeof openStudio>>;
let school: School;
beforeAll(async () => {
  studio = await openStudio();
  school = studio.school;
}, 180_000);
afterAll(() => studio.close());

const versionsOf = async (who: Client, document_id: number) =>
  (await who.get(documentFiles.attachments, { query: { document_id } })).value[0]!.versions;

describe('an online editor', () => {
  test('follows the protocol from the lock to the end', async () => {
    const { author } = school;
    const { id, editor } = await studio.begun();
    const info = (await editor.info()).json();
    expect(info).toMatchObject({
      BaseFileName: '正文.txt',
      OwnerId: String(author.userId),
      UserId: String(author.userId),
      UserFriendlyName: '张拟稿',
      Size: Buffer.byteLength('第一版'),
      Version: '1',
      UserCanWrite: true,
      ReadOnly: false,
      SupportsLocks: true,
      SupportsUpdate: true,
    });
    expect([(await editor.get()).text, (await editor.get()).version]).toEqual(['第一版', '1']);
    expect(await editor.getLock()).toMatchObject({ status: 200, lock: '' });
    expect(await editor.lock('A')).toMatchObject({ status: 200, version: '1' });
    expect(await editor.getLock()).toMatchObject({ status: 200, lock: 'A' });
    expect(await editor.put('第二版', 'A')).toMatchObject({ status: 200, version: '2' });
    expect((await editor.refresh('A')).status).toBe(200);
    expect((await editor.lock('B', 'A')).status).toBe(200);
    expect(await editor.put('过时', 'A')).toMatchObject({ status: 409, lock: 'B' });
    expect(await editor.put('第三版', 'B', 'text/plain;charset=utf-8')).toMatchObject({ status: 200, version: '3' });
    expect(await editor.put('第三版', 'B')).toMatchObject({ status: 200, version: '3' });
    expect((await editor.unlock('B')).status).toBe(200);
    expect(await editor.getLock()).toMatchObject({ status: 200, lock: '' });
    expect((await editor.get()).text).toBe('第三版');
    expect((await versionsOf(author, id)).map((one) => [one.version_no, one.reason, one.editor_info.alias])).toEqual([
      [3, '在线编辑', '张拟稿'],
      [2, '在线编辑', '张拟稿'],
      [1, '', '张拟稿'],
    ]);
    const { rows } = await school.office.db.execute<{ n: number }>(
      sql`select count(*)::int n from log where action = '在线编辑：保存文件' and user_id = ${author.userId}`,
    );
    expect(rows[0]!.n).toBeGreaterThanOrEqual(2);
  });

  test('is told the lock that is held, and an empty one if none is', async () => {
    const { editor } = await studio.begun();
    expect(await editor.unlock('A')).toMatchObject({ status: 409, lock: '' });
    expect(await editor.refresh('A')).toMatchObject({ status: 409, lock: '' });
    expect(await editor.lock('B', 'A')).toMatchObject({ status: 409, lock: '' });
    expect(await editor.put('无锁')).toMatchObject({ status: 409, lock: '' });
    await editor.lock('A');
    for (const wrong of [editor.lock('B'), editor.refresh('B'), editor.unlock('B'), editor.lock('C', 'B')])
      expect(await wrong).toMatchObject({ status: 409, lock: 'A' });
    expect(await editor.put('错锁', 'B')).toMatchObject({ status: 409, lock: 'A' });
    expect(await editor.put('不说锁')).toMatchObject({ status: 409, lock: 'A' });
    expect((await editor.lock('A')).status).toBe(200);
  });

  test('may lock with at most 1024 plain characters, and a malformed or oversized request is refused', async () => {
    const { editor } = await studio.begun();
    const longest = 'x'.repeat(1024);
    expect((await editor.lock(longest)).status).toBe(200);
    expect((await editor.getLock()).lock).toBe(longest);
    expect((await editor.lock(`${longest}x`)).status).toBe(400);
    expect((await editor.operate('LOCK')).status).toBe(400);
    expect((await editor.get({ 'x-wopi-maxexpectedsize': '2' })).status).toBe(412);
  });

  test('gets 501 or 404 for every protocol operation that is not supported, and none of those is announced', async () => {
    const { editor } = await studio.begun();
    const overrides = [
      'DELETE',
      'COBALT',
      'PUT_USER_INFO',
      'GET_SHARE_URL',
      'READ_SECURE_STORE',
      'ADD_ACTIVITIES',
      'GET_RESTRICTED_LINK',
      'REVOKE_RESTRICTED_LINK',
      'GET_ECOSYSTEM',
      'GET_WOPI_SRC',
      'GET_NEW_ACCESS_TOKEN',
      'GET_CHUNKED_FILE',
      'PUT_CHUNKED_FILE',
      '',
    ];
    for (const word of overrides) expect((await editor.operate(word, 'A')).status, word).toBe(501);
    expect((await editor.at('POST', '/contents', { 'x-wopi-override': 'PUT_ANEW' })).status).toBe(501);
    for (const part of ['/ancestry', '/ecosystem_pointer', '/share'])
      expect((await editor.at('GET', part)).status, part).toBe(404);
    // Containers, folders, the ecosystem and the bootstrapper: reads, and operations by header.
    const read = [
      'containers/1',
      'containers/1/children',
      'containers/1/ancestry',
      'containers/1/ecosystem_pointer',
      'folders/1',
      'folders/1/children',
      'ecosystem',
      'ecosystem/root_container_pointer',
    ];
    const words: Record<string, readonly string[]> = {
      'containers/1': [
        'CREATE_CHILD_CONTAINER',
        'CREATE_CHILD_FILE',
        'DELETE_CONTAINER',
        'RENAME_CONTAINER',
        'GET_SHARE_URL',
      ],
      ecosystem: ['GET_WOPI_SRC_WITH_ACCESS_TOKEN'],
    };
    for (const path of read) expect((await editor.elsewhere('GET', `/api/wopi/${path}`)).status, path).toBe(404);
    for (const [path, overrides] of Object.entries(words))
      for (const word of overrides) {
        const answer = await editor.elsewhere('POST', `/api/wopi/${path}`, { 'x-wopi-override': word });
        expect(answer.status, `${path} ${word}`).toBe(404);
      }
    const bootstrapper = ['/api/wopibootstrapper', '/api/wopibootstrapper/shortcuts'];
    for (const path of bootstrapper) expect((await editor.elsewhere('GET', path)).status, path).toBe(404);
    for (const word of ['GET_ROOT_CONTAINER', 'GET_NEW_ACCESS_TOKEN']) {
      const asked = { 'x-wopi-ecosystemoperation': word };
      expect((await editor.elsewhere('POST', bootstrapper[0]!, asked)).status, word).toBe(404);
    }
    const info = (await editor.info()).json();
    const announced = Object.keys(info).filter((name) => name.startsWith('Supports') && info[name] === true);
    expect(announced.toSorted()).toEqual([
      'SupportsExtendedLockLength',
      'SupportsGetLock',
      'SupportsLocks',
      'SupportsRename',
      'SupportsUpdate',
    ]);
    expect((await editor.get()).status).toBe(200);
  });

  test('renames its file without the extension, and a taken or impossible name is adjusted or refused', async () => {
    const { author } = school;
    const files = [await send(author, '甲', '甲.txt'), await send(author, '乙', '乙.txt')];
    const { id } = await school.write({ submit: false, attachments: files }, author);
    const [first] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    const editor = await studio.editorOf(author, first!.id);
    expect((await editor.info()).json()).toMatchObject({ SupportsRename: true, UserCanRename: true });
    expect((await editor.rename('考场安排')).json()).toEqual({ Name: '考场安排' });
    expect((await editor.info()).json()).toMatchObject({ BaseFileName: '考场安排.txt', Version: '2' });
    expect((await editor.rename('乙')).json()).toEqual({ Name: '乙（2）' });
    expect((await editor.rename('安排/:*?表+1')).json()).toEqual({ Name: '安排表+1' });
    expect(await editor.rename('...')).toMatchObject({ status: 400 });
    expect((await editor.rename('...')).header('x-wopi-invalidfilenameerror')).toBeTruthy();
    for (const half of ['安排\ud83d', '\ude00安排']) {
      const cut = await editor.rename(half);
      expect([cut.status, cut.header('x-wopi-invalidfilenameerror')]).toEqual([400, 'The name holds half a character']);
      expect((await editor.putRelative('x', { suggested: `${half}.txt` })).status).toBe(400);
    }
    await editor.lock('A');
    expect(await editor.rename('错锁', 'B')).toMatchObject({ status: 409, lock: 'A' });
    expect(await editor.rename('不说锁')).toMatchObject({ status: 409, lock: 'A' });
    expect((await editor.rename('对锁', 'A')).status).toBe(200);
    expect((await editor.get()).text).toBe('甲');
  });

  test('saves under another name beside its file, as requested or under a free name', async () => {
    const { author } = school;
    const { id, place, editor } = await studio.begun();
    const names = async () =>
      (await author.get(documentFiles.attachments, { query: { document_id: id } })).value.map((one) => one.name);
    expect((await editor.info()).json()).toMatchObject({ UserCanNotWriteRelative: false });
    const made = (await editor.putRelative('副本', { suggested: '.csv' })).json();
    expect(made).toMatchObject({ Name: '正文.csv' });
    const [, other, token] = /files\/(\d+)\?access_token=(.+)$/.exec(String(made['Url']))!;
    const second = openEditor(school.office.url, Number(other), decodeURIComponent(token!));
    expect((await second.get()).text).toBe('副本');
    expect((await editor.putRelative('又一份', { suggested: '正文.txt' })).json()).toMatchObject({
      Name: '正文（2）.txt',
    });
    const taken = await editor.putRelative('不盖', { exact: '正文.csv' });
    expect([taken.status, decodeURIComponent(taken.header('x-wopi-validrelativetarget')!)]).toEqual([
      409,
      '正文（2）.csv',
    ]);
    expect((await editor.putRelative('盖上', { exact: '正文.csv', over: true })).status).toBe(200);
    expect((await second.get()).text).toBe('盖上');
    await second.lock('L');
    expect(await editor.putRelative('锁住', { exact: '正文.csv', over: true })).toMatchObject({
      status: 409,
      lock: 'L',
    });
    expect((await editor.putRelative('x', { exact: '乱:名.txt' })).status).toBe(400);
    expect((await editor.putRelative('x', { suggested: '.exe' })).status).toBe(400);
    expect((await editor.putRelative('x', { suggested: 'a.txt', exact: 'b.txt' })).status).toBe(501);
    expect((await editor.putRelative('x', {})).status).toBe(400);
    expect((await editor.putRelative(Buffer.from([0, 159, 146]), { suggested: '坏.txt' })).status).toBe(400);
    expect((await names()).toSorted()).toEqual(['正文.csv', '正文.txt', '正文（2）.txt'].toSorted());
    const { access_token } = await author.get(documentFiles.open, { params: { id: place.id }, query: { view: true } });
    const reader = openEditor(school.office.url, place.id, access_token);
    expect((await reader.info()).json()).toMatchObject({ UserCanNotWriteRelative: true, UserCanRename: false });
    expect([(await reader.rename('改')).status, (await reader.putRelative('x', { suggested: '.csv' })).status]).toEqual(
      [401, 401],
    );
  });

  test('that holds a file blocks uploads by another route, even by its own holder', async () => {
    const { author } = school;
    const { place, editor } = await studio.begun();
    const file = await send(author, '另一途径');
    const upload = () => author.ask(documentFiles.addVersion, { body: { id: place.id, file } });
    await editor.lock('A');
    expect(await upload()).toRefuse(lockedByOwn);
    await editor.unlock('A');
    expect((await upload()).code).toBe(0);
  });

  test('loses its lock after half an hour', async () => {
    const { author } = school;
    const { place, editor } = await studio.begun();
    await editor.lock('A');
    const late = (minutes: number) =>
      school.office.services.databases.write((tx) =>
        tx.execute(
          sql`update document_file set lock_until = lock_until - make_interval(mins => ${minutes}) where id = ${place.id}`,
        ),
      );
    await late(29);
    expect((await editor.getLock()).lock).toBe('A');
    await late(2);
    expect((await editor.getLock()).lock).toBe('');
    expect(await editor.put('太晚', 'A')).toMatchObject({ status: 409, lock: '' });
    expect(await editor.refresh('A')).toMatchObject({ status: 409, lock: '' });
    const second = await studio.editorOf(author, place.id);
    expect((await second.lock('B')).status).toBe(200);
  });

  test('passes the checks of every upload when it saves', async () => {
    const { editor } = await studio.begun();
    await editor.lock('A');
    expect((await editor.put(Buffer.from([0, 159, 146, 150, 0, 1]), 'A')).status).toBe(400);
    expect((await editor.put('', 'A')).status).toBe(400);
    await school.office.services.databases.write((tx) =>
      tx.execute(sql`insert into setting (key, value) values ('site', '{"file_max_mb": 1}')
        on conflict (key) do update set value = setting.value || excluded.value`),
    );
    await school.office.services.databases.write((tx) => tx.execute(sql`select pg_notify('settings', 'site')`));
    await expect.poll(async () => (await school.office.services.settings.get('site')).file_max_mb).toBe(1);
    expect((await editor.put('x'.repeat(1_100_000), 'A')).status).toBe(413);
    expect((await editor.info()).json()).toMatchObject({ Version: '1' });
  });

  test('that read an older file cannot save over a newer one', async () => {
    const { editor } = await studio.begun();
    await editor.lock('A');
    const read = String((await editor.info()).json()['LastModifiedTime']);
    const put = (text: string, at: string, header = 'x-cool-wopi-timestamp') =>
      editor.put(text, 'A', undefined, { [header]: at });
    const saved = await put('第一次', read);
    expect(saved.status).toBe(200);
    for (const header of ['x-cool-wopi-timestamp', 'x-lool-wopi-timestamp']) {
      const late = await put('没有看到第一次', read, header);
      expect([late.status, late.json()]).toEqual([409, { COOLStatusCode: 1010, LOOLStatusCode: 1010 }]);
    }
    expect((await editor.get()).text).toBe('第一次');
    expect((await put('第二次', String(saved.json()['LastModifiedTime']))).status).toBe(200);
  });

  test('that saves eight times at once loses nothing and numbers all versions in order', async () => {
    const { author } = school;
    const { id, editor } = await studio.begun();
    await editor.lock('A');
    const contents = Array.from({ length: 8 }, (_, index) => `同时保存的第 ${index} 份`);
    const answers = await Promise.all(contents.map((content) => editor.put(content, 'A')));
    expect(answers.map((answer) => answer.status)).toEqual(contents.map(() => 200));
    expect(answers.map((answer) => Number(answer.version)).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    const versions = await versionsOf(author, id);
    expect(versions.map((one) => one.version_no)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const kept = await Promise.all(
      versions.map(async (one) => (await author.fetch(`/api/file/${one.file.id}/`)).text()),
    );
    expect(kept.toSorted()).toEqual([...contents, '第一版'].toSorted());
    const last = contents[answers.findIndex((answer) => answer.version === '9')];
    expect((await editor.get()).text).toBe(last);
  });
});

describe('an access token', () => {
  const statuses = async (editor: ReturnType<typeof openEditor>) =>
    (await Promise.all([editor.info(), editor.get(), editor.lock('A'), editor.getLock(), editor.put('x', 'A')])).map(
      (answer) => answer.status,
    );
  const nothing = [401, 401, 401, 401, 401];

  test('that is forged, expired, of another file or of a session is refused', async () => {
    const { author, office: app } = school;
    const { place } = await studio.begun();
    const other = await studio.begun();
    const good = (await author.get(documentFiles.open, { params: { id: place.id } })).access_token;
    const claims = { fileId: place.id, userId: author.userId, sessionId: 1, write: true };
    const foreign = createPasses('z'.repeat(48)).make(claims, new Date()).token;
    const old = createPasses(testSecret).make(claims, new Date(Date.now() - 61 * 60_000)).token;
    const [head, body, sign] = good.split('.') as [string, string, string];
    const altered = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const changed = Buffer.from(JSON.stringify({ ...altered, file: other.place.id })).toString('base64url');
    for (const token of ['', 'x', foreign, old, `${head}.${changed}.${sign}`, `${head}.${body}.`, author.token!])
      expect(await statuses(openEditor(app.url, place.id, token)), token.slice(0, 20)).toEqual(nothing);
    expect(await statuses(openEditor(app.url, other.place.id, good))).toEqual(nothing);
    const session = await author.fetch(`/api/wopi/files/${place.id}`);
    expect([session.status, await session.text()]).toEqual([401, '']);
    const asSession = await fetch(`${app.url}/api/document/${other.id}/`, {
      headers: { authorization: `JWT ${good}` },
    });
    expect(((await asSession.json()) as { code: number }).code).toBe(401);
  });

  test('ends with the session it was made in, and with the person’s account', async () => {
    const { office: app, dept } = school;
    const person = await app.person({ dept, roles: ['staff'] });
    const [first, second] = [await app.signIn(person), await app.signIn(person)];
    const { place, editor } = await studio.begun('我的', first);
    const other = await studio.editorOf(second, place.id);
    await first.get(accounts.logout);
    await expect.poll(() => statuses(editor)).toEqual(nothing);
    expect((await other.info()).status).toBe(200);
    await app.services.databases.write(async (tx) => {
      await tx.execute(sql`update app_user set is_active = false where id = ${person.id}`);
      await tx.execute(sql`select pg_notify('rights', ${String(person.id)})`);
    });
    await expect.poll(() => statuses(other)).toEqual(nothing);
  });

  test('for reading can neither save nor lock', async () => {
    const { author, head, write } = school;
    const { id } = await write({ attachments: [await send(author, '送审稿')] });
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    expect([place!.actions, (await author.get(documentFiles.open, { params: { id: place!.id } })).may_write]).toEqual([
      ['open'],
      false,
    ]);
    const reader = await studio.editorOf(author, place!.id);
    expect((await reader.info()).json()).toMatchObject({ UserCanWrite: false, ReadOnly: true });
    expect([(await reader.get()).text, (await reader.lock('A')).status, (await reader.put('x', 'A')).status]).toEqual([
      '送审稿',
      401,
      401,
    ]);
    const { access_token } = await head.get(documentFiles.open, { params: { id: place!.id }, query: { view: true } });
    expect((await openEditor(school.office.url, place!.id, access_token).lock('A')).status).toBe(401);
    const writer = await studio.editorOf(head, place!.id);
    expect((await writer.lock('A')).status).toBe(200);
    // A reader may query the present lock, which does not remove it.
    const onlooker = openEditor(school.office.url, place!.id, access_token);
    expect((await onlooker.getLock()).lock).toBe('A');
    for (const answer of [
      await onlooker.unlock('A'),
      await onlooker.refresh('A'),
      await onlooker.lock('B', 'A'),
      await reader.unlock('A'),
    ])
      expect(answer.status).toBe(401);
    expect((await writer.getLock()).lock).toBe('A');
  });

  test('for writing cannot write once the document has moved on, but still releases its lock', async () => {
    const { author, head, write, goOn } = school;
    const { id, ticket_id } = await write({ attachments: [await send(author, '送审稿')] });
    const [place] = (await author.get(documentFiles.attachments, { query: { document_id: id } })).value;
    const editor = await studio.editorOf(head, place!.id);
    expect((await editor.lock('A')).status).toBe(200);
    const release = { params: { id: place!.id } };
    expect(await school.handle(head, ticket_id, 3)).toRefuse(editorOpen);
    expect(await author.ask(documentFiles.release, release)).toRefuse(forbidden);
    expect((await editor.put('办理中修改', 'A')).status).toBe(200);
    await head.get(documentFiles.release, release);
    expect(await head.ask(documentFiles.release, release)).toRefuse(notLocked);
    await goOn(ticket_id, 7);
    expect((await editor.info()).json()).toMatchObject({ UserCanWrite: false });
    expect([(await editor.put('晚了', 'A')).status, (await editor.refresh('A')).status]).toEqual([401, 401]);
    expect((await editor.get()).text).toBe('办理中修改');
  });
});
