import { and } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById } from '#modules/platform/files/service.ts';
import { replacing } from '#modules/platform/links/service.ts';
import type { GenuineFile, Verified } from '#modules/platform/verification/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { archiveOf } from '../archive/state.ts';
import { secretLevel } from '../contract/shapes.ts';
import { toldOutside } from '../visibility/recipient-view.ts';
import { receiving } from '../rules/rules.ts';
import { docs } from '../record/record.ts';
import { isOut } from '../rules/standing.ts';
import type { Stored } from '../visibility/visibility.ts';

const openToAll = 1;

/** The verification of a printed document for strangers: nothing about secret ones, the title only if it is open to the public. */
export async function verifiedDocuments(tx: Db, id: number): Promise<Verified | null> {
  const doc = await docs.one(tx, id, and(docs.definition.named, docs.alive));
  if (!doc) return null;
  const out = doc.approved || doc.issued;
  const incoming = doc.doc_kind === receiving;
  const replaced = out && !doc.is_void ? await replacedBy(tx, doc) : null;
  const state = replaced ?? stateOf(doc);
  return {
    title: out && doc.publicity === openToAll ? doc.title : null,
    facts: [
      ['字号', doc.doc_number || doc.receipt_no],
      [incoming ? '来文单位' : '发文机关', incoming ? doc.from_org : doc.issue_org],
      [incoming ? '收文日期' : '成文日期', (incoming ? doc.received_date : doc.written_date) ?? ''],
      ['状态', state],
    ],
    valid: isOut(doc) && replaced === null,
    ended: (out && doc.is_void) || replaced !== null ? state : null,
    files: out ? await filesOf(tx, doc) : [],
  };
}

/** Names the issued letter that replaced it, not earlier than itself; the number only if it is open to the public. */
async function replacedBy(tx: Db, { id, written_date: since }: Stored): Promise<string | null> {
  for (const other of (await replacing(tx, { module: 'documents', id })).toReversed()) {
    const doc = await docs.one(tx, other, docs.alive);
    if (!doc || !isOut(doc) || (since !== null && (doc.written_date ?? '') < since)) continue;
    const isOpen = doc.secret_level === secretLevel.none && doc.publicity === openToAll;
    const day = doc.written_date ? `（${doc.written_date}）` : '';
    return `已被${isOpen && doc.doc_number ? ` ${doc.doc_number} ` : '另一件公文'}替代${day}`;
  }
  return null;
}

function stateOf(doc: Stored): string {
  if (doc.approved || doc.issued) return toldOutside(doc, doc.is_void).act_state_name;
  return doc.act_state === actState.closed ? '未办结，已终止' : '办理中';
}

/** The finished letter, the body and the attachments. */
async function filesOf(tx: Db, { id, body_file, final_file, attachments }: Stored): Promise<GenuineFile[]> {
  const held = await filesById(
    tx,
    [body_file, final_file, ...attachments].filter((one) => one !== null),
  );
  const kept = (ids: readonly number[], what: (index: number) => string) =>
    ids.flatMap((file, index) => {
      const found = held.get(file);
      return found ? [{ what: what(index), sha256: found.sha256 }] : [];
    });
  const one = (file: number | null) => (file === null ? [] : [file]);
  const final = (await archiveOf(tx, id))?.final_sha256;
  return [
    ...(final ? [{ what: '成品文件', sha256: final }] : []),
    ...kept(one(final_file), () => '成品文件'),
    ...kept(one(body_file), () => '正文'),
    ...kept(attachments, (index) => `附件 ${index + 1}`),
  ];
}
