import { and, eq, or, type SQL } from 'drizzle-orm';
import { absent, forbidden } from '#kernel/contract/refusal.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { link } from '#modules/platform/links/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { adoptedBefore, documentAdoption, notApproved } from '../contract/adopt.ts';
import { docKind, docType, secretLevel } from '../contract/shapes.ts';
import { docs, recordModule } from '../record/record.ts';
import { unansweredAmong } from '../replies/replies.ts';
import { toldOutside } from '../visibility/recipient-view.ts';
import { isThrough, stateName, through } from '../rules/standing.ts';
import { receiving } from '../rules/rules.ts';
import { seen } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

const { id, title, doc_kind, doc_type, doc_number, receipt_no, secret_level, written_date } = documentTable;
const open = eq(secret_level, secretLevel.none);
const onItsWayIn = and(eq(doc_kind, receiving), eq(documentTable.act_state, actState.ongoing));

/** Lists documents that can be cited, and makes papers from documents. */
export const documentAdoptionModule = implement('documents', documentAdoption, {
  async adoptable({ query }, { tx, user }) {
    const viewer = await docs.viewerOf(tx, user);
    const shown = and(
      open,
      query.reply ? or(through, onItsWayIn) : through,
      query.doc_kind ? eq(doc_kind, query.doc_kind) : undefined,
      docs.visible(tx, viewer),
    );
    const select = (found: SQL | undefined) =>
      tx
        .select({
          id,
          title,
          doc_kind,
          doc_type,
          doc_number,
          receipt_no,
          act_state: documentTable.act_state,
          is_refused: documentTable.is_refused,
          written_date,
        })
        .from(documentTable)
        .where(and(found, shown))
        .$dynamic();
    const search = { column: documentTable.search, value: query.search_value };
    const page = await searchedPageOf(tx, query, search, select, {
      by: { gmt_created: documentTable.gmt_created, written_date },
      first: 'gmt_created',
      descending: true,
      tie: id,
      along: { gmt_created: docs.alive! },
    });
    const ids = page.value.map((row) => row.id);
    const known = await docs.knownOf(tx, viewer, ids);
    const waiting = await unansweredAmong(tx, ids);
    return {
      ...page,
      value: page.value.map((row) => ({
        id: row.id,
        title: row.title,
        doc_kind: row.doc_kind,
        doc_kind_name: docKind.label(row.doc_kind),
        doc_type_name: docType.label(row.doc_type),
        number: row.doc_number || row.receipt_no,
        ...(known.has(row.id)
          ? { act_state: row.act_state, act_state_name: waiting.get(row.id) ?? actState.label(row.act_state) }
          : toldOutside(row, false)),
        written_date: row.written_date,
      })),
    };
  },

  async adopt({ body }, context) {
    const { tx, user, audit } = context;
    const { doc } = await seen(tx, user, body.document_id, true);
    if (doc.secret_level > secretLevel.none) throw absent('公文');
    if (!holds(user, 'Create', 'folder/papers')) throw forbidden('新增制度文件');
    if (!isThrough(doc)) throw notApproved(stateName(doc));
    const before = await tx.services.product.papers.paperOf(tx, user, doc.id);
    if (before) throw adoptedBefore(before.title);
    const paper = await tx.services.product.papers.paperFrom(context, {
      documentId: doc.id,
      title: doc.title,
      number: doc.doc_number,
      day: doc.written_date ?? doc.sign_date,
      deptId: doc.dept_id,
      text: textOf(doc.body_html),
      keywords: doc.keywords,
      bodyFileId: doc.body_file,
      attachmentIds: doc.attachments,
    });
    await link(tx, {
      from: { module: recordModule, id: doc.id },
      to: { module: 'folders', id: paper },
      type: 'result',
      userId: user.id,
    });
    audit({ type: '公文', id: doc.id, title: doc.title, after: { 操作: '转为制度文件草稿' } });
    return { id: paper, page: `/folder/detail/${paper}` };
  },
});
