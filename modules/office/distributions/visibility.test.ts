import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents } from '#modules/office/documents/contract.ts';
import { documentArchive } from '#modules/office/documents/contract/settings/archive.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import { documentRecords } from '#modules/office/documents/contract/records.ts';
import { links } from '#modules/platform/links/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { wordOf } from '#modules/office/documents/testing/word.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { distributions } from './contract.ts';
import { openGiving, type Giving } from './testing/giving.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

describe('a distributed document', () => {
  test(
    'is seen nowhere by people it was not distributed to, nor after it was recalled',
    { timeout: 180_000 },
    async () => {
      const { finished, given, recall, reader, stranger, clerk, author, office: app } = giving;
      const file = await send(author, '金丝雀附件');
      const document = await finished({ title: '关于金丝雀饲养的通知', attachments: [file] });
      const dist = await given(document, { users: [reader.userId] }, { note: '金丝雀说明' });
      const params = { id: dist };
      const text = async (who: typeof reader, path: string) => (await who.fetch(path)).text();
      const seenBy = async (who: typeof reader) => ({
        list: (await who.get(documents.list, { query: { per_page: 100 } })).value.some((row) => row.id === document),
        count: (await who.get(documents.list, { query: { search_value: '金丝雀饲养' } })).total,
        get: (await who.ask(documents.get, { params: { id: document } })).code,
        log: (await who.ask(documentRecords.ticketLog, { query: { document_id: document } })).code,
        file: (await who.fetch(`/api/file/${file}/`)).headers.get('content-type'),
        dist: (await who.ask(distributions.get, { params })).code,
        dists: (await who.get(distributions.list, { query: { search_value: '金丝雀饲养' } })).total,
        received: (await who.get(distributions.list, { query: { scope: 'received', document_id: document } })).total,
        info: (await who.ask(distributions.info, { query: { dist_id: dist } })).code,
        infoOfDocument: (await who.ask(distributions.info, { query: { document_id: document } })).data?.value?.total,
        flow: (await who.ask(distributions.flowLogs, { query: { dist_id: dist } })).code,
        flowOfDocument: (await who.ask(distributions.flowLogs, { query: { document_id: document } })).code,
        readers: (await who.ask(distributions.readers, { params })).code,
        read: (await who.ask(distributions.read, { params, body: {} })).code,
        recall: (await who.ask(distributions.recall, { params, body: {} })).code,
        urge: (await who.ask(distributions.urge, { params, body: {} })).code,
        told: (await text(who, '/api/msg/user/unread/?per_page=100')).includes('金丝雀'),
        toldBefore: (await text(who, '/api/msg/user/read/?per_page=100&all=true')).includes('金丝雀'),
      });
      const nothing = {
        list: false,
        count: 0,
        get: 4004,
        log: 4004,
        file: 'application/json; charset=utf-8',
        dist: 4004,
        dists: 0,
        received: 0,
        info: 4004,
        infoOfDocument: undefined,
        flow: 4004,
        flowOfDocument: 4004,
        readers: 4004,
        read: 4004,
        recall: 4004,
        urge: 4004,
        told: false,
        toldBefore: false,
      };
      expect(await seenBy(stranger)).toEqual(nothing);
      expect(await reader.get(messages.unread, { query: { per_page: 100 } })).toMatchObject({
        value: expect.arrayContaining([expect.objectContaining({ title: '公文分发：关于金丝雀饲养的通知' })]),
      });
      expect(await seenBy(reader)).toEqual({
        ...nothing,
        list: true,
        count: 1,
        get: 0,
        file: 'text/plain',
        dist: 0,
        dists: 1,
        received: 1,
        infoOfDocument: 0,
        flow: 0,
        flowOfDocument: 0,
        read: 0,
        recall: 4003,
        urge: 4003,
      });
      await reader.get(documents.collect, { params: { id: document } });
      const exporter = await app.clerk({ 'document/dist': ['Retrieve', 'daochu'] }, { dataScope: 5 });
      const sheet = Buffer.from(await (await exporter.fetch('/api/document/dist/?export=xlsx')).arrayBuffer());
      expect(sheet.subarray(0, 2).toString()).toBe('PK');
      expect((await exporter.get(distributions.list)).total).toBe(0);
      expect((await recall(clerk, dist, '发错了')).code).toBe(0);
      expect(await seenBy(reader)).toEqual(nothing);
      expect(await giving.listed(reader, 'collect')).toEqual([]);
      const trace = await giving.opened(clerk, dist);
      expect([trace.recalled_at !== null, trace.recalled_by, trace.read, trace.actions]).toEqual([
        true,
        '党政办',
        1,
        ['readers'],
      ]);
      const answer = await recall(clerk, dist);
      expect([answer.code, answer.msg]).toEqual([4010, expect.stringMatching(/^该次分发已于 .* 收回，无需再处理$/)]);
    },
  );

  test('is shown to its recipients as distributed, without its history', async () => {
    const { author, head, reader, leader, clerk, write, goOn, handle, given, recall } = giving;
    const files = async (who: typeof author, document_id: number) =>
      (await who.get(documentFiles.attachments, { query: { document_id } })).value;
    const [first, second] = [wordOf('初稿'), wordOf('部门改稿')];
    const read = (word: Uint8Array) => new TextDecoder().decode(word);
    const sent = {
      body_file: await send(author, first, '正文.docx'),
      attachments: [await send(author, '名单', '名单.csv')],
    };
    const { id, ticket_id } = await write(sent);
    const [draft, list] = await files(head, id);
    const better = { id: draft!.id, file: await send(head, second, '正文.docx'), reason: '措辞' };
    await head.get(documentFiles.addVersion, { body: better });
    expect((await handle(head, ticket_id, 4)).code).toBe(0);
    await author.get(documents.again, { params: { id }, body: { attachments: [] } });
    await goOn(ticket_id);
    const dist = await given(id, { users: [reader.userId] });
    const [body, ...others] = await files(reader, id);
    expect([body!.versions, body!.lock, others]).toEqual([[], null, []]);
    const told = async (who: typeof author, fileId: number) => {
      const bytes = await (await who.fetch(`/api/file/${fileId}/`)).text();
      return bytes.startsWith('{') ? (JSON.parse(bytes) as { code: number }).code : bytes;
    };
    const past = [draft!.file.id, list!.file.id];
    expect(await told(reader, body!.file.id)).toBe(read(second));
    for (const fileId of past) expect(await told(reader, fileId)).toBe(4004);
    for (const who of [author, leader, clerk]) {
      expect((await files(who, id)).map((one) => one.versions.length)).toEqual([2, 1]);
      expect([await told(who, past[0]!), await told(who, past[1]!)]).toEqual([read(first), '名单']);
    }
    await recall(clerk, dist);
    expect(await told(reader, body!.file.id)).toBe(4004);
  });

  test('is shown to its recipients without opinions, handling record, processing sheet and steps', async () => {
    const { author, reader, clerk, head, write, goOn, handle, given, office: app } = giving;
    const { id, ticket_id } = await write({ title: '关于夜鹭的通知' });
    expect((await handle(head, ticket_id, 4, { suggestion: '苍鹭意见' })).code).toBe(0);
    await author.get(documents.again, { params: { id }, body: { submit: true } as never });
    await goOn(ticket_id);
    await app.services.databases.write((tx) =>
      tx.execute(sql`update document set propose_opinion = '苍鹭拟办', leader_opinion = '苍鹭批示',
        handle_result = '苍鹭结果' where id = ${id}`),
    );
    const dist = await given(id, { users: [reader.userId] });
    const heard = async (who: typeof reader) => ({
      inside: (await who.get(documents.get, { params: { id } })).value.inside,
      record: (await who.ask(documentRecords.ticketLog, { query: { document_id: id } })).code,
      sheet: (await who.fetch(`/api/document/${id}/sheet/`)).headers.get('content-type'),
      ways: (await who.get(distributions.flowLogs, { query: { document_id: id, per_page: 100 } })).value
        .map((one) => one.kind)
        .includes('flow'),
      happened: (await who.get(links.timeline, { query: { module: 'documents', id } })).value.length > 0,
      told: (
        await Promise.all(
          [
            `document/${id}/`,
            `document/dist/flowlogs/?dist_id=${dist}&per_page=100`,
            `document/dist/${dist}/`,
            `document/ticket_log/?document_id=${id}`,
            `links/timeline/?module=documents&id=${id}`,
          ].map(async (path) => (await who.fetch(`/api/${path}`)).text()),
        )
      )
        .join()
        .includes('苍鹭'),
    });
    const json = 'application/json; charset=utf-8';
    const nothing = { inside: false, record: 4004, sheet: json, ways: false, happened: false, told: false };
    expect(await heard(reader)).toEqual(nothing);
    const all = { inside: true, record: 0, sheet: 'application/pdf', ways: true, happened: true, told: true };
    for (const who of [author, clerk]) expect(await heard(who)).toEqual(all);
  }, 180_000);

  test('is answered to its recipients in the same way by every call until it is void, whatever happens to it in the house', async () => {
    const { author, reader, clerk, write, goOn, given, handle, office: app } = giving;
    const { id, ticket_id } = await write({ title: '关于鹡鸰的通知', attachments: [await send(author, '名单')] });
    await goOn(ticket_id);
    await given(id, { users: [reader.userId] });
    const other = await giving.finished();
    await given(other, { users: [reader.userId] });
    const ends = { from_module: 'documents', from_id: other, to_module: 'documents', to_id: id };
    await clerk.get(links.create, { body: ends });
    for (const who of [reader, author]) await who.get(documents.collect, { params: { id } });
    const asks = [
      `document/${id}/`,
      `document/${id}/check/`,
      `document/?search_value=鹡鸰`,
      ...[4, 5, 6].map((state) => `document/?search_value=鹡鸰&act_state=${state}`),
      'document/?category=collect&order_by=due_at',
      'document/?archived=1',
      `document/adopt/?search_value=鹡鸰`,
      `document/attachment/?document_id=${id}`,
      `document/ticket_log/?document_id=${id}`,
      `document/dist/?document_id=${id}`,
      `document/dist/flowlogs/?document_id=${id}`,
      `document/dist/info/?document_id=${id}`,
      `links/?module=documents&id=${other}`,
      `links/candidates/?module=documents&search_value=鹡鸰`,
      `links/timeline/?module=documents&id=${id}`,
      `tickets/${ticket_id}/`,
    ];
    const heard = (who: typeof reader) =>
      Promise.all(
        asks.map(async (path) =>
          `${path} ${await (await who.fetch(`/api/${path}`)).text()}`.replace(/"(\/api)?\/file[^"]*"/g, ''),
        ),
      );
    const actions: (typeof documents.remove)[] = [documents.update, documents.again, documents.remove] as never;
    const tries = () => Promise.all(actions.map((call) => reader.ask(call, { params: { id }, body: {} as never })));
    const [first, within, tried] = [await heard(reader), await heard(author), await tries()];
    expect(tried.map((answer) => answer.code)).toEqual([4003, 4003, 4003]);

    const params = { id: ticket_id };
    const body = { suggestion: '办完了' };
    await author.get(ticketActions.applyFinish, { params, body });
    expect((await giving.detail(author, id)).participant_info.participant_alias).toBe('党政办');
    expect(await heard(reader)).toEqual(first);
    expect((await heard(author)).filter((one, index) => one === within[index])).not.toEqual(within);
    expect((await handle(clerk, ticket_id, 18)).code).toBe(0);
    await clerk.get(documentArchive.archive, { params: { id }, body: { retention: 1, archive_no: 'WS-2026-1' } });
    expect(await heard(reader)).toEqual(first);
    expect(await tries()).toEqual(tried);
    expect(await giving.detail(reader, id)).toMatchObject({ act_state_name: '已印发', archive: null, due_at: null });

    const ticket = (await giving.detail(clerk, other)).ticket_id;
    const back = { state_id: 7, suggestion: '重新复核' };
    await app.admin.get(ticketActions.state, { params: { id: ticket }, body: back });
    expect((await reader.ask(documents.get, { params: { id: other } })).code).toBe(4004);
    for (const transition of [13, 15, 16, 17]) expect((await handle(clerk, ticket, transition)).code).toBe(0);
    expect((await giving.detail(reader, other)).act_state_name).toBe('已印发');
    await app.admin.get(ticketActions.revoke, { params: { id: ticket }, body });
    expect((await giving.detail(reader, other)).act_state_name).toBe('已作废');
    const shown = (act_state: number) => reader.get(documents.list, { query: { act_state, per_page: 100 } });
    expect((await shown(5)).value.map((row) => row.id)).toEqual([other]);
    expect((await shown(4)).value.map((row) => row.id)).not.toContain(other);
  }, 180_000);

  test('does not reveal to a recipient who else received it or what they replied', async () => {
    const { anyLetter, given, reader, librarian, opened } = giving;
    const dist = await given(await anyLetter(), { users: [reader.userId, librarian.userId] });
    await librarian.get(distributions.read, { params: { id: dist }, body: { reply: '只给办公室看' } });
    const mine = await opened(reader, dist);
    expect([mine.readers, mine.total]).toEqual([[], null]);
    const logs = await reader.get(distributions.flowLogs, { query: { dist_id: dist, per_page: 100 } });
    expect(JSON.stringify(logs)).not.toContain('只给办公室看');
    const refused = await giving.recall(reader, dist);
    expect([refused.code, refused.msg]).toEqual([4003, '只有分发人和办公室可以收回、催读']);
  });
});
