import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { documents } from './contract.ts';
import { documentArchive } from './contract/settings/archive.ts';
import { documentMarks } from './contract/files/marks.ts';
import { links } from '#modules/platform/links/contract.ts';
import { documentCode } from './contract/qrcode.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
let serial = 0;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const run = (statement: ReturnType<typeof sql>) =>
  school.office.services.databases.write((tx) => tx.execute(statement));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function upload(who: Client, name: string, content: string): Promise<number> {
  const form = new FormData();
  form.set('module', 'documents');
  form.set('file', new File([content], name));
  const answer = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
  return ((await answer.json()) as { data: { id: number } }).data.id;
}

/** A letter whose workflow has finished. */
async function issued(body: Parameters<School['write']>[0] = {}) {
  const made = await school.write(body);
  await school.goOn(made.ticket_id);
  return made;
}
const archive = (who: Client, id: number, archive_no = `2026·永久·${++serial}`) =>
  who.ask(documentArchive.archive, { params: { id }, body: { retention: 1, archive_no } });
const packageOf = (id: number) =>
  eventually(async () => {
    const { archive: found } = await school.detail(school.clerk, id);
    expect(found?.package?.ext).toBe('zip');
    return found!.package!.id;
  });

describe('the archive of documents', () => {
  test('takes a finished document once, with a package that verifies itself', { timeout: 180_000 }, async () => {
    const { author, clerk, detail, office: app } = school;
    const attachments = [await upload(author, '考场安排.txt', '第一考场')];
    const { id, ticket_id } = await issued({ attachments });
    const both = await Promise.all([archive(clerk, id, 'A-1'), archive(clerk, id, 'A-2'), archive(clerk, id, 'A-3')]);
    expect(both.map((answer) => answer.code).toSorted()).toEqual([0, 4010, 4010]);
    const packageId = await packageOf(id);
    const bytes = new Uint8Array(await (await clerk.fetch(`/api/file/${packageId}/`)).arrayBuffer());
    const members = unzipSync(bytes);
    expect(Object.keys(members).toSorted()).toEqual([
      'metadata.json',
      '处理单.pdf',
      '正文/正文.pdf',
      '附件/01-考场安排.txt',
    ]);
    expect(strFromU8(members['附件/01-考场安排.txt']!)).toBe('第一考场');
    for (const path of ['处理单.pdf', '正文/正文.pdf'])
      expect(strFromU8(members[path]!.subarray(0, 5), true)).toBe('%PDF-');
    const metadata = JSON.parse(strFromU8(members['metadata.json']!)) as Record<string, unknown>;
    const doc = await detail(author, id);
    expect(metadata).toMatchObject({
      软件: { 名称: '工单系统' },
      公文: { 题名: doc.title, 发文字号: doc.doc_number },
      归档: { 档号: doc.archive!.archive_no, 保管期限: '永久', 归档人: '党政办' },
    });
    const steps = metadata['办理过程'] as { 环节: string }[];
    expect(steps.map((one) => one.环节)).toContain('签发');
    const listed = metadata['文件'] as { 路径: string; 'SHA-256': string }[];
    expect(Object.fromEntries(listed.map((one) => [one.路径, one['SHA-256']]))).toEqual(
      Object.fromEntries(
        Object.entries(members)
          .filter(([path]) => path !== 'metadata.json')
          .map(([path, content]) => [path, sha256(content)]),
      ),
    );
    for (const who of [author, school.stranger])
      expect(((await (await who.fetch(`/api/file/${packageId}/`)).json()) as { code: number }).code).toBe(4004);
    expect((await detail(author, id)).archive).toMatchObject({ ready: true, package: null });
    const found = await clerk.get(documents.list, { query: { category: 'all', archived: true, per_page: 100 } });
    expect(found.value.map((row) => row.id)).toContain(id);
    const open = await clerk.get(documents.list, { query: { category: 'all', archived: false, per_page: 100 } });
    expect(open.value.map((row) => row.id)).not.toContain(id);

    const params = { id: ticket_id };
    const tried = [
      await app.admin.ask(ticketActions.revoke, { params, body: { suggestion: '作废' } }),
      await author.ask(ticketActions.comment, { params, body: { suggestion: '补充' } }),
      await author.ask(ticketActions.applyFinish, { params, body: { suggestion: '办完' } }),
    ];
    expect(tried.map((answer) => answer.code)).toEqual([4010, 4010, 4010]);
    expect(tried[0]!.msg).toContain('已归档');
    for (const who of [app.admin, author, clerk]) {
      expect((await who.get(tickets.transitions, { params })).value).toEqual([]);
      expect((await who.get(tickets.get, { params })).value).toMatchObject({ actions: [], transitions: [] });
    }
    const { actions } = await detail(author, id);
    expect(actions.filter((code) => !['collect', 'uncollect', 'qrcode'].includes(code))).toEqual([]);
  });

  test('keeps handwritten marks with their pages and authors', { timeout: 180_000 }, async () => {
    const { head, clerk, write, goOn } = school;
    const { id, ticket_id } = await write({ body_html: '第一稿的正文。' });
    const draw = async () => {
      const { digest } = await head.get(documentMarks.list, { params: { id } });
      const strokes = [{ page: 1, ink: 1 as const, points: [1000, 2000, 3000, 1200] }];
      await head.get(documentMarks.draw, { params: { id }, body: { digest, strokes } });
    };
    await draw();
    await head.get(documents.update, { params: { id }, body: { body_html: '第二稿的正文。' } });
    await draw();
    await goOn(ticket_id);
    expect((await archive(clerk, id)).code).toBe(0);
    const packageId = await packageOf(id);
    const members = unzipSync(new Uint8Array(await (await clerk.fetch(`/api/file/${packageId}/`)).arrayBuffer()));
    const metadata = JSON.parse(strFromU8(members['metadata.json']!)) as Record<string, unknown>;
    expect(metadata['手写批注']).toMatchObject(
      ['01', '02'].map((no) => ({ 路径: `手写批注/${no}.pdf`, 批注人: '李处长', 页: [1], 笔数: 1 })),
    );
    const words = async (path: string) => {
      const pdf = await getDocument({ data: new Uint8Array(members[path]!), useWasm: false, verbosity: 0 }).promise;
      const page = await pdf.getPage(1);
      const { fnArray } = await page.getOperatorList();
      const text = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join('');
      await pdf.cleanup();
      return { text, drawn: fnArray.includes(OPS.setStrokeRGBColor) };
    };
    for (const [no, draft] of [
      ['01', '第一稿的正文'],
      ['02', '第二稿的正文'],
    ] as const) {
      const { text, drawn } = await words(`手写批注/${no}.pdf`);
      expect(text).toContain(draft);
      expect(text).toContain('手写批注：李处长');
      expect(drawn).toBe(true);
    }
    expect((await words('正文/正文.pdf')).text).not.toContain('手写批注');
  });

  test('finds packages stored under their former name after the database migration', async () => {
    const { clerk } = school;
    const { id } = await issued();
    expect((await archive(clerk, id)).code).toBe(0);
    const packageId = await packageOf(id);
    const type = async () => (await clerk.fetch(`/api/file/${packageId}/`)).headers.get('content-type');
    await run(
      sql`update file set module = 'document_archive', owner_module = 'document_archive' where id = ${packageId}`,
    );
    expect(await type()).toContain('json');
    const migration = new URL('../../../migrations/0028-module-names.sql', import.meta.url);
    await school.office.services.databases.pool.query(readFileSync(migration, 'utf8'));
    expect(await type()).toContain('zip');
  });

  test('refuses documents still in progress, secret ones, and a number used before', async () => {
    const { clerk, author, head, stranger, write } = school;
    const { id } = await write();
    expect((await archive(clerk, id)).code).toBe(4010);
    for (const who of [author, head, stranger]) expect((await archive(who, id)).code).toBe(4003);
    const [first, second] = [await issued(), await issued()];
    expect((await archive(clerk, first.id, 'B-1')).code).toBe(0);
    const taken = await archive(clerk, second.id, 'B-1');
    expect([taken.code, taken.msg]).toEqual([-1, '档号“B-1”已经用过，请换一个']);
    for (const alike of ['Ｂ-1', 'b - 1', 'B-1\u200b'])
      expect((await archive(clerk, second.id, alike)).msg, alike).toContain('已经用过');
    await run(
      sql`update document set secret_level = 1, secret_period = '10年', copy_no = '000001' where id = ${second.id}`,
    );
    expect((await archive(clerk, second.id)).msg).toContain('涉密公文不在本系统归档');
  });
});

describe('a person who verifies a printed document', () => {
  const codeOf = async (id: number) =>
    (await school.author.get(documentCode.qrcode, { query: { document_id: id } })).verify_code;
  const look = async (code: string) => {
    const answer = await school.office.stranger.fetch(`/api/verify/${code}/`);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const check = async (code: string, content: Uint8Array | string) => {
    const form = new FormData();
    form.set('file', new File([content as never], 'x'));
    const answer = await school.office.stranger.fetch(`/api/verify/${code}/`, { method: 'POST', body: form });
    return answer.text();
  };

  test('learns its number, organisation, date and state, and its title only if it is public', async () => {
    const shown = await issued({ title: '关于公开事项的通知', publicity: 1 });
    const hidden = await issued({ title: '关于内部事项的通知', publicity: 2 });
    const { url, image, verify_code } = await school.author.get(documentCode.qrcode, {
      query: { document_id: shown.id },
    });
    expect(url).toBe(`${school.office.url}/api/verify/${verify_code}/`);
    expect([image.slice(0, 22), /^[0-9A-Z]{16}$/.test(verify_code)]).toEqual(['data:image/png;base64,', true]);
    const page = await look(verify_code);
    const { doc_number, written_date } = await school.detail(school.author, shown.id);
    for (const word of ['关于公开事项的通知', doc_number, '某某大学', written_date!, '已印发', '现行有效'])
      expect(page.text).toContain(word);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.text).not.toContain('<script');
    const other = await look(await codeOf(hidden.id));
    expect(other.text).not.toContain('内部事项');
    expect(other.text).toContain('未公开的公文不显示标题');
    const small = (await look(verify_code.toLowerCase().replace(/(.{4})/, '$1-'))).text;
    expect(small).toContain('关于公开事项的通知');
  });

  test('learns nothing about a secret, deleted or unknown one, and those answers are alike', async () => {
    const secret = await issued({ title: '关于金丝雀的通知', publicity: 1 });
    const code = await codeOf(secret.id);
    await run(
      sql`update document set secret_level = 1, secret_period = '10年', copy_no = '000001' where id = ${secret.id}`,
    );
    const pages = [await look(code), await look('0'.repeat(16)), await look('x')];
    expect(pages.map((page) => page.status)).toEqual([404, 404, 404]);
    expect(new Set(pages.map((page) => page.text)).size).toBe(1);
    expect(await check(code, 'x')).toBe(pages[0]!.text);
    const refused = await school.author.ask(documentCode.qrcode, { query: { document_id: secret.id } });
    expect(refused.code).toBe(-1);
    expect((await school.stranger.ask(documentCode.qrcode, { query: { document_id: secret.id } })).code).toBe(4004);
  });

  test('may compare a file with the finished letter, its body and its attachments', async () => {
    const { author } = school;
    const attachments = [await upload(author, '名单.txt', '甲乙丙')];
    const { id } = await issued({ attachments, publicity: 1 });
    const code = await codeOf(id);
    expect(await check(code, '甲乙丙')).toContain('与原件一致（附件 1）');
    expect(await check(code, '甲乙丁')).toContain('与原件不一致');
    const final = await eventually(async () => {
      const { final_file } = await school.detail(author, id);
      expect(final_file).not.toBeNull();
      return final_file!;
    });
    const { rows } = await school.office.db.execute<{ sha256: string }>(
      sql`select sha256 from file where id = ${final.id}`,
    );
    const stored = await school.office.services.fileStore.store.get(
      `content/${rows[0]!.sha256.slice(0, 2)}/${rows[0]!.sha256}`,
    );
    const parts: Buffer[] = [];
    for await (const part of stored!) parts.push(part as Buffer);
    expect(await check(code, Buffer.concat(parts))).toContain('与原件一致（成品文件）');
    const { rows: kept } = await school.office.db.execute<{ n: number }>(
      sql`select count(*)::int as n from file where name = 'x'`,
    );
    expect(kept[0]?.n).toBe(0);
  });

  test('has to wait after too many attempts', async () => {
    const { id } = await issued({ publicity: 1 });
    const code = await codeOf(id);
    // The window begins with the first try, so one from an earlier test could end during these.
    await run(sql`delete from attempt where kind = 'verify'`);
    const answers = [];
    for (let index = 0; index < 61; index++) answers.push((await look(code)).status);
    expect(answers.slice(0, 60)).not.toContain(429);
    expect(answers.at(-1)).toBe(429);
    expect((await look('0'.repeat(16))).text).toContain('核验过于频繁');
  });

  test('is warned that a document is void or still in progress', async () => {
    const { office: app, write } = school;
    await run(sql`delete from attempt where kind = 'verify'`);
    const under = await write({ title: '关于在办事项的通知', publicity: 1 });
    const page = await look(await codeOf(under.id));
    expect([page.text.includes('办理中'), page.text.includes('在办事项')]).toEqual([true, false]);
    const { id, ticket_id } = await issued({ publicity: 1 });
    await app.admin.get(ticketActions.revoke, { params: { id: ticket_id }, body: { suggestion: '有误' } });
    expect((await look(await codeOf(id))).text).toContain('已作废');
  });

  test('is told of its replacement once that is issued, by number if that is public', async () => {
    const { office: app, write } = school;
    await run(sql`delete from attempt where kind = 'verify'`);
    const replaced = async (by: number) => {
      const { id } = await issued({ publicity: 1 });
      const body = { from_module: 'documents', from_id: by, to_module: 'documents', to_id: id, type: 'supersede' };
      await app.admin.get(links.create, { body: body as never });
      return (await look(await codeOf(id))).text;
    };
    const open = await issued({ publicity: 1 });
    const { doc_number, written_date } = await school.detail(school.author, open.id);
    const page = await replaced(open.id);
    expect(page).toContain(`已被 ${doc_number} 替代（${written_date}）`);
    expect(page).toContain('现在不是有效状态');
    const closed = await issued({ publicity: 2 });
    const hidden = (await school.detail(school.author, closed.id)).doc_number!;
    const quiet = await replaced(closed.id);
    expect([quiet.includes('已被另一件公文替代'), quiet.includes(hidden)]).toEqual([true, false]);
    const under = await write({ publicity: 1 });
    expect(await replaced(under.id)).toContain('现行有效');
  });

  test('is not told that a letter closed before its approval, or a file of it, is valid', async () => {
    const { author, clerk, head, write, goOn, handle, office: app } = school;
    await run(sql`delete from attempt where kind like 'verify%'`);
    const closed = async (who: Client, id: number) =>
      expect((await who.ask(ticketActions.close, { params: { id }, body: { suggestion: '不发了' } })).code).toBe(0);
    const ways = [
      async (id: number) => {
        await handle(head, id, 4, { suggestion: '重写' });
        await closed(author, id);
      },
      async (id: number) => {
        await goOn(id, 17);
        await closed(app.admin, id);
      },
      async (id: number) => {
        await goOn(id);
        await clerk.get(ticketActions.state, { params: { id }, body: { state_id: 6, suggestion: '重签' } });
        await closed(clerk, id);
      },
    ];
    for (const giveUp of ways) {
      const { id, ticket_id } = await write({ title: '关于放弃事项的通知', publicity: 1 });
      await giveUp(ticket_id);
      const code = await codeOf(id);
      const { text } = await look(code);
      for (const word of ['有效状态', '未办结，已终止']) expect(text).toContain(word);
      for (const word of ['现行有效', '已印发', '放弃事项']) expect(text).not.toContain(word);
      const refused = await archive(clerk, id);
      expect([refused.code, refused.msg]).toEqual([4010, '公文“已关闭”，办结之后才能归档']);
      const { actions } = await school.detail(clerk, id);
      for (const action of ['archive', 'distribute', 'adopt']) expect(actions).not.toContain(action);
    }
    const attachments = [await upload(author, '草稿.txt', '草稿内容')];
    const last = await write({ publicity: 1, attachments });
    await closed(app.admin, last.ticket_id);
    expect(await check(await codeOf(last.id), '草稿内容')).not.toContain('与原件一致');
    const ended = await issued({ publicity: 1 });
    const late = { params: { id: ended.ticket_id }, body: { suggestion: '不发了' } };
    expect((await clerk.ask(ticketActions.close, late)).msg).toContain('不能关闭');
    expect((await look(await codeOf(ended.id))).text).toContain('现行有效');
    expect((await archive(clerk, ended.id)).code).toBe(0);
  });
});
