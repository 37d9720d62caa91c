import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { send } from '#modules/platform/wopi/testing/editor.ts';
import { documents } from './contract.ts';
import { documentMarks, mayNotMark, paperChanged, pageMissing, type NewStroke } from './contract/files/marks.ts';
import { openSchool, type School } from './testing/school.ts';
import { pdfOf } from './testing/word.ts';

// Pages are typeset, and marked by an external program.
vi.setConfig({ testTimeout: 180_000 });

let school: School;
type Who = School['author'];
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const tick = (page = 1, ink: NewStroke['ink'] = 1): NewStroke => ({
  page,
  ink,
  points: [1000, 2000, 1500, 2600, 3000, 1200],
});
const marksOf = (who: Who, id: number) => who.get(documentMarks.list, { params: { id } });
const layersOf = async (who: Who, id: number) =>
  (await marksOf(who, id)).value.map(({ current, layers }) => [
    current,
    layers.map(({ user_info, strokes, pages }) => [user_info.alias, strokes, pages]),
  ]);
const versionFor = async (who: Who, id: number) => (await marksOf(who, id)).digest;
const draw = async (who: Who, id: number, strokes = [tick()], digest?: string) =>
  who.ask(documentMarks.draw, { params: { id }, body: { digest: digest ?? (await versionFor(who, id)), strokes } });
const drawn = (who: Who, id: number, digest: string) =>
  who.get(documentMarks.strokes, { params: { id }, query: { digest } });

async function pagesFor(who: Who, id: number, { digest, marked }: { digest: string; marked: boolean }) {
  const response = await who.fetch(`/api/document/${id}/marks/pdf/?digest=${digest}&marked=${marked}`);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  const pdf = await getDocument({ data: new Uint8Array(await response.arrayBuffer()), useWasm: false, verbosity: 0 })
    .promise;
  const page = await pdf.getPage(1);
  const words = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join('');
  const { fnArray, argsArray } = await page.getOperatorList();
  const colours = fnArray.flatMap((fn, at) => (fn === OPS.setStrokeRGBColor ? [String(argsArray[at])] : []));
  const found = { words, colours, pages: pdf.numPages };
  await pdf.cleanup();
  return found;
}

describe('handwritten marks on a document’s pages', () => {
  test('are kept in a layer for each person handling it, visible to other readers and changed by nobody else', async () => {
    const { author, head, clerk, leader, stranger, write, handle, goOn, issuer } = school;
    const { id, ticket_id } = await write();
    expect([(await marksOf(head, id)).may_mark, (await marksOf(author, id)).may_mark]).toEqual([true, false]);
    const digest = await versionFor(head, id);
    const first = await head.get(documentMarks.draw, {
      params: { id },
      body: { digest, strokes: [tick(), tick(1, 3)] },
    });
    expect(await draw(author, id)).toRefuse(mayNotMark);
    expect((await draw(stranger, id, [tick()], digest)).code).toBe(codes.absent);
    for (const [call, query] of [
      [documentMarks.list, {}],
      [documentMarks.strokes, { digest }],
      [documentMarks.pages, { digest }],
    ] as const)
      expect((await stranger.ask(call as never, { params: { id }, query } as never)).code).toBe(codes.absent);
    expect(await layersOf(author, id)).toEqual([[true, [['李处长', 2, [1]]]]]);
    const theirs = first.value.map((stroke) => ({ ...stroke, mine: false }));
    expect((await drawn(author, id, digest)).value).toEqual(theirs);
    expect((await drawn(head, id, digest)).value).toEqual(first.value);

    // Marks stay when the document moves on; the next person has a layer of their own.
    await goOn(ticket_id, 7);
    const [own] = first.value;
    const erase = (who: Who, stroke: number) => who.ask(documentMarks.erase, { params: { id, stroke } });
    expect(await erase(head, own!.id)).toRefuse(mayNotMark);
    expect(await draw(head, id)).toRefuse(mayNotMark);
    expect((await handle(clerk, ticket_id, 7, { issuer })).code).toBe(0);
    const next = await leader.get(documentMarks.draw, {
      params: { id },
      body: { digest: await versionFor(leader, id), strokes: [tick(1, 2)] },
    });
    expect((await erase(leader, own!.id)).code).toBe(codes.absent);
    expect((await erase(leader, next.value[0]!.id)).code).toBe(0);
    expect((await marksOf(clerk, id)).value.flatMap(({ layers }) => layers)).toMatchObject([
      { user_info: { alias: '李处长' }, strokes: 2 },
    ]);
  });

  test('stay readable with the pages they were drawn on after the pages changed', async () => {
    const { author, head, write } = school;
    const { id } = await write({ body_html: '第一稿的正文。' });
    const before = await versionFor(head, id);
    expect((await draw(head, id)).code).toBe(0);
    await head.get(documents.update, { params: { id }, body: { body_html: '第二稿的正文。' } });
    const after = await versionFor(head, id);
    expect(after).not.toBe(before);
    expect(await draw(head, id, [tick()], before)).toRefuse(paperChanged);
    expect((await head.ask(documentMarks.pages, { params: { id }, query: { digest: 'f'.repeat(64) } })).code).toBe(
      codes.stale,
    );
    expect(await layersOf(author, id)).toEqual([[false, [['李处长', 1, [1]]]]]);
    expect((await draw(head, id, [tick(1, 2)])).code).toBe(0);
    expect((await layersOf(author, id)).map(([current]) => current)).toEqual([true, false]);
    const [old, now] = [
      await pagesFor(author, id, { digest: before, marked: true }),
      await pagesFor(author, id, { digest: after, marked: true }),
    ];
    expect([old.words, now.words]).toEqual([
      expect.stringContaining('第一稿的正文'),
      expect.stringContaining('第二稿的正文'),
    ]);
    // With the former text, its marks are shown again.
    await head.get(documents.update, { params: { id }, body: { body_html: '第一稿的正文。' } });
    expect(await versionFor(head, id)).toBe(before);
  });

  test('are printed with the paper if requested, with the names of their authors', async () => {
    const { author, head, write } = school;
    const { id } = await write();
    const digest = await versionFor(head, id);
    await draw(head, id, [tick(1, 1), tick(1, 2)]);
    const plain = await pagesFor(author, id, { digest, marked: false });
    const marked = await pagesFor(author, id, { digest, marked: true });
    expect(marked.words).toMatch(/手写批注：李处长 \d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(plain.words).not.toContain('手写批注');
    expect(marked.colours.slice(plain.colours.length)).toEqual(['#d4190b', '#1149c8']);
    expect(marked.pages).toBe(plain.pages);
  });

  test('lie on the pages of an uploaded incoming letter, whatever its register entry says', async () => {
    const { registrar, clerk, detail } = school;
    const body_file = await send(registrar, await pdfOf(['来文第一页', '来文第二页']), '来文.pdf');
    const { id } = await registrar.get(documents.create, {
      body: {
        doc_kind: 2,
        title: '关于报送材料的通知',
        from_org: '市教育局',
        from_number: '市教〔2026〕91号',
        received_date: '2026-11-20',
        body_html: '',
        body_file,
        submit: true,
      },
    });
    const digest = await versionFor(clerk, id);
    expect(await draw(clerk, id, [tick(3)])).toRefuse(pageMissing);
    expect((await draw(clerk, id, [tick(2)])).code).toBe(0);
    await clerk.get(documents.level, { params: { id }, body: { level: 1, reason: '急件' } });
    expect(await versionFor(clerk, id)).toBe(digest);
    expect((await detail(clerk, id)).level).toBe(1);
    expect((await pagesFor(registrar, id, { digest, marked: true })).pages).toBe(2);
  });

  test('are saved stroke by stroke, and a stroke resent under its idempotency key is stored once', async () => {
    const { head, write } = school;
    const { id } = await write();
    const digest = await versionFor(head, id);
    const body = JSON.stringify({ digest, strokes: [tick()] });
    const again = async () =>
      head.fetch(`/api/document/${id}/marks/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'stroke-1-of-this-test' },
        body,
      });
    const [first, second] = [await (await again()).json(), await (await again()).json()];
    expect(second).toEqual(first);
    expect((await drawn(head, id, digest)).total).toBe(1);
    // Two people who draw first at the same time share one paper.
    await Promise.all([draw(head, id), draw(head, id)]);
    expect((await marksOf(head, id)).value).toMatchObject([{ layers: [{ strokes: 3 }] }]);
  });

  test('are limited by the database in page, ink and points, and never changed', async () => {
    const { head, office: app, write } = school;
    const { id } = await write();
    await draw(head, id);
    const run = (statement: SQL) => app.services.databases.write((tx) => tx.execute(statement));
    const why = (statement: SQL) =>
      run(statement).then(
        () => '',
        (error: Error) => (error.cause as Error).message,
      );
    const paper = sql`(select max(id) from document_marked_paper)`;
    const put = (page: number, ink: number, points: string) =>
      why(sql`insert into document_stroke (paper_id, user_id, page, ink, points)
        values (${paper}, 1, ${page}, ${ink}, ${points}::smallint[])`);
    expect(await put(1, 1, '{1,1}')).toBe('');
    for (const [page, ink, points, held] of [
      [0, 1, '{1,1}', 'none of its paper'],
      [99, 1, '{1,1}', 'none of its paper'],
      [1, 4, '{1,1}', 'document_stroke_ink'],
      [1, 1, '{1}', 'document_stroke_points'],
      [1, 1, '{1,1,1}', 'document_stroke_points'],
      [1, 1, '{-1,1}', 'document_stroke_points'],
      [1, 1, '{1,null}', 'document_stroke_points'],
    ] as const)
      expect(await put(page, ink, points)).toContain(held);
    expect(await why(sql`update document_stroke set ink = 2`)).toContain('append-only');
    expect(await why(sql`update document_marked_paper set pages = 2`)).toContain('append-only');
  });

  test('on a secret document carry the reader’s name like its paper', async () => {
    const { author, head, office: app, write } = school;
    const site = async (allow_secret: boolean) => {
      const { version } = await app.admin.get(settings.site);
      await app.admin.get(settings.saveSite, { body: { allow_secret, version } as never });
    };
    await site(true);
    try {
      const { id } = await write({ secret_level: 1, secret_period: '1年', copy_no: '000001' });
      const digest = await versionFor(head, id);
      await draw(head, id);
      expect((await pagesFor(author, id, { digest, marked: true })).words).toContain('张拟稿');
    } finally {
      await site(false);
    }
  });
});
