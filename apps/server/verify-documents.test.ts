import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSchool, type School } from '#modules/office/documents/testing/school.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { firstBreak } from './verify-office.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

const broken = () => firstBreak(school.office.services.databases);
/** Runs SQL as an intruder with access to the database itself, whom nothing prevents. */
async function intrude(text: string): Promise<pg.QueryResult> {
  const address = Object.assign(new URL(inject('databaseAdminUrl')), {
    pathname: new URL(school.office.databaseUrl).pathname,
  });
  const intruder = new pg.Client({ connectionString: address.href });
  await intruder.connect();
  try {
    await intruder.query('set session_replication_role = replica');
    return await intruder.query(text);
  } finally {
    await intruder.end();
  }
}

test(
  'a signed or numbered document that was changed in the database is found and named',
  { timeout: 300_000 },
  async () => {
    const title = '关于期末考试安排的通知';
    const signedOnly = await school.write({ title: '关于停水的通知' });
    await school.goOn(signedOnly.ticket_id, 13);
    const { id, ticket_id } = await school.write({ title });
    await school.goOn(ticket_id);
    const { doc_number: number } = await school.detail(school.author, id);
    expect(number).toMatch(/^校发〔\d{4}〕1号$/);
    expect(await broken()).toBeNull();

    const whole = `公文 ${id}（${number}）《${title}》，`;
    const altered = `公文 ${id}（校发〔2020〕9号）《${title}》，`;
    for (const [change, said] of [
      ['body_html = body_html || $$<p>又</p>$$', `${whole}签发的标题、正文或附件被改动`],
      ['doc_number = $$校发〔2020〕9号$$', `${altered}发文字号被改动（固定时为“${number}”）`],
      ['attachments = array[1]', `${whole}签发的标题、正文或附件被改动`],
      ['body_sha256 = repeat($$0$$, 64)', `${whole}签发记录被改动`],
      [`doc_number = '', body_sha256 = null`, `公文 ${id}《${title}》，签发和字号被抹去`],
    ] as const) {
      const { rows } = await intrude(`select row_to_json(d)::text as row from document d where id = ${id}`);
      await intrude(`update document set ${change} where id = ${id}`);
      expect(await broken(), change).toBe(said);
      await intrude(
        `update document d set (body_html, doc_number, attachments, body_sha256) =
           (select body_html, doc_number, attachments, body_sha256 from json_populate_record(null::document, $json$${rows[0].row}$json$)) where id = ${id}`,
      );
      expect(await broken()).toBeNull();
    }

    await intrude(`update document set body_html = '<p>x</p>' where id = ${signedOnly.id}`);
    expect(await broken()).toBe(`公文 ${signedOnly.id}《关于停水的通知》，签发的标题、正文或附件被改动`);
    await intrude(
      `update document d set body_html = f.body_html from document_frozen f where f.document_id = d.id and d.id = ${signedOnly.id}`,
    );
    expect(await broken()).toBeNull();

    await intrude(`update document_frozen set signer_id = 1 where document_id = ${id}`);
    expect(await broken()).toBe(`${whole}签发记录被改动`);
    await intrude(`update document_frozen set signer_id = ${school.main.userId} where document_id = ${id}`);
    await intrude(`update document_frozen set body_html = '<p>y</p>' where document_id = ${id}`);
    expect(await broken()).toBe(`${whole}签发时的正文被改动`);
    await intrude(
      `update document_frozen f set body_html = d.body_html from document d where d.id = f.document_id and d.id = ${id}`,
    );
    expect(await broken()).toBeNull();

    // An intruder who rebuilds the document's chain still contradicts the operation log's.
    await intrude(
      `delete from document_seal where document_id = ${id} and seq = (select max(seq) from document_seal where document_id = ${id})`,
    );
    expect(await broken()).toContain(whole);
  },
);

test('a document changed by the rules after its signature verifies as sound', { timeout: 180_000 }, async () => {
  const before = await broken();
  const { id, ticket_id } = await school.write({ title: '关于复核的通知' });
  await school.goOn(ticket_id, 13);
  await school.clerk.get(documents.update, { params: { id }, body: { body_html: '<p>改过的正文。</p>' } });
  expect(await broken()).toBe(before);
});

test('a sealed file of a document can be neither changed nor removed by the product’s own account', async () => {
  for (const change of [
    'delete from document_seal',
    `update document_seal set hash = repeat('0', 64)`,
    'truncate document_seal',
  ])
    await expect(school.office.services.databases.pool.query(change)).rejects.toThrow('append-only');
});
