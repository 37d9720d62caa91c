import { asc, inArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { hashOfBody } from '../signing/signing.ts';
import { factsOf, sealHash, sealLogged, sealText } from '../signing/sealing.ts';
import { documentTable } from '../tables.ts';
import { documentFrozenTable, documentSealTable } from '../tables/records.ts';

export interface VerifiedDocuments {
  /** Documents that are or were signed or numbered. */
  documents: number;
  /** The first one that differs from its seal. */
  broken: { id: number; title: string; number: string; why: string } | null;
}

const portion = 200;

/** Compares every signed or numbered document with its seals, in portions; needs one snapshot. */
export async function verifyDocuments(tx: Db): Promise<VerifiedDocuments> {
  let [documents, last] = [0, 0];
  for (;;) {
    const { id } = documentTable;
    const of = sql`${id} > ${last} and (${documentTable.body_sha256} is not null or ${documentTable.doc_number} <> ''
      or exists (select from document_seal s where s.document_id = ${id}))`;
    const docs = await tx.select().from(documentTable).where(of).orderBy(asc(id)).limit(portion);
    const ids = docs.map((doc) => doc.id);
    const seals = Map.groupBy(await rowsOf(tx, ids), (row) => row.document_id);
    const frozen = Map.groupBy(
      ids.length === 0
        ? []
        : await tx
            .select()
            .from(documentFrozenTable)
            .where(inArray(documentFrozenTable.document_id, ids))
            .orderBy(asc(documentFrozenTable.id)),
      (row) => row.document_id,
    );
    const unlogged = await notInLog(tx, ids);
    for (const doc of docs) {
      const chain = seals.get(doc.id) ?? [];
      const signatures = frozen.get(doc.id) ?? [];
      const why =
        chainFault(chain) ??
        (unlogged.has(doc.id) ? '固定记录与操作日志不一致' : null) ??
        signatures
          .map((row) => (hashOfBody({ ...doc, ...row }) === row.sha256 ? null : '签发时的正文被改动'))
          .find(Boolean) ??
        factFault(factsOf(doc, signatures), chain.at(-1)?.facts);
      documents += 1;
      if (why) return { documents, broken: { id: doc.id, title: doc.title, number: doc.doc_number, why } };
      last = doc.id;
    }
    if (docs.length < portion) return { documents, broken: null };
  }
}

type Seal = typeof documentSealTable.$inferSelect;

const rowsOf = async (tx: Db, ids: readonly number[]): Promise<Seal[]> =>
  ids.length === 0
    ? []
    : tx
        .select()
        .from(documentSealTable)
        .where(inArray(documentSealTable.document_id, [...ids]))
        .orderBy(asc(documentSealTable.document_id), asc(documentSealTable.seq));

function chainFault(chain: readonly Seal[]): string | null {
  let previous: string | null = null;
  for (const [index, { document_id: documentId, seq, facts, prev_hash: prevHash, hash }] of chain.entries()) {
    if (seq !== index + 1 || prevHash !== previous || hash !== sealHash(documentId, seq, facts, previous))
      return `第 ${index + 1} 条固定记录被改动或缺失`;
    previous = hash;
  }
  return null;
}

function factFault(now: Seal['facts'] | null, sealed: Seal['facts'] | undefined): string | null {
  const kept = sealed && (sealed.signed !== null || sealed.number !== '') ? sealed : null;
  if (!now && !kept) return null;
  if (!now || !kept) return now ? '没有固定记录' : '签发和字号被抹去';
  if (sealText(now) === sealText(kept)) return null;
  if (now.number !== kept.number) return `发文字号被改动（固定时为“${kept.number}”）`;
  if (now.now !== kept.now) return '签发的标题、正文或附件被改动';
  return '签发记录被改动';
}

/** Documents with a seal missing in the operation log, if it has not been cleared yet. */
async function notInLog(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.execute<{ id: number }>(sql`
    select distinct s.document_id as id from document_seal s
    where s.document_id = any(${sql.param([...ids])}::int[]) and s.gmt_created > now() - interval '179 days'
      and not exists (select from log l where l.object_type = ${sealLogged} and l.object_id = s.document_id::text
        and l.diff @> jsonb_build_array(jsonb_build_object('fields',
          jsonb_build_array(jsonb_build_object('after', s.hash::text)))))`);
  return new Set(rows.map((row) => row.id));
}
