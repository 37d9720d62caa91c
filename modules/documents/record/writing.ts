import { and, eq } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { cleanHtml, textOf } from '#kernel/server/text/rich-text.ts';
import { fileById } from '#modules/files/service.ts';
import { deptNamesById, headsOf, peopleByName } from '#modules/people/service.ts';
import { usableLetterhead } from '#modules/letterheads/service.ts';
import { otherKindOfBody } from '../bodies/refused.ts';
import { bodyKinds } from '../contract/files/body.ts';
import { longestBody, type DocumentFields } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { signerField } from '../rules/signer.ts';
import { documentCategoryTable, documentTable, numberRuleTable } from '../tables.ts';

type Columns = typeof documentTable.$inferInsert;
/** Column of each field of the wire; the issuer comes by user name, and the time it is due by as people write it. */
export const columns = {
  category_id: 'categoryId',
  doc_type: 'docType',
  title: 'title',
  summary: 'summary',
  keywords: 'keywords',
  number_rule_id: 'numberRuleId',
  from_org: 'fromOrg',
  from_number: 'fromNumber',
  received_date: 'receivedDate',
  from_copies: 'fromCopies',
  level: 'level',
  secret_level: 'secretLevel',
  secret_period: 'secretPeriod',
  copy_no: 'copyNo',
  publicity: 'publicity',
  publicity_reason: 'publicityReason',
  issue_org: 'issueOrg',
  joint_orgs: 'jointOrgs',
  main_send: 'mainSend',
  copy_send: 'copySend',
  leader_assigned: 'leaderAssigned',
  redhead_id: 'redheadId',
  body_html: 'bodyHtml',
  body_file: 'bodyFileId',
  attachments: 'attachmentIds',
  annotation: 'annotation',
  contact_name: 'contactName',
  contact_phone: 'contactPhone',
  reply_to_id: 'replyToId',
  written_date: 'writtenDate',
  print_org: 'printOrg',
  print_date: 'printDate',
  print_copies: 'printCopies',
  lead_dept: 'leadDeptId',
  co_depts: 'coDeptIds',
  propose_opinion: 'proposeOpinion',
  leader_opinion: 'leaderOpinion',
  handle_result: 'handleResult',
} as const satisfies Record<Exclude<keyof DocumentFields, 'issuer' | 'due_at'>, keyof Columns>;

/** Reads what somebody wrote into columns; throws `invalid` where it names what is not there. `mayAnswer`: whether they see a document. */
export async function columnsOf(
  tx: Db,
  asked: DocumentFields,
  { docKind, mayAnswer }: { docKind: number; mayAnswer: (id: number) => Promise<boolean> },
): Promise<Partial<Stored>> {
  const errors: FieldError[] = [];
  const wrong = (field: string, label: string, msg: string) => errors.push({ field, label, msg });
  const found: Record<string, unknown> = {};
  for (const [key, column] of Object.entries(columns)) {
    const value = asked[key as keyof typeof columns];
    if (value !== undefined) found[column] = value;
  }
  if (asked.body_html !== undefined) {
    const html = cleanHtml(asked.body_html);
    const length = textOf(html).length;
    if (length > longestBody) wrong('body_html', '正文', `最多 ${longestBody} 个字，现有 ${length} 个字`);
    found['bodyHtml'] = html;
  }
  if (asked.body_file) {
    const file = await fileById(tx, asked.body_file);
    if (file && !bodyKinds.some((kind) => kind === file.ext)) throw otherKindOfBody(file.name);
  }
  if (asked.redhead_id && !(await usableLetterhead(tx, asked.redhead_id)))
    wrong('redhead_id', '红头模板', '这个红头模板不存在或已停用，请重新选择');
  if (asked.issuer !== undefined) {
    const issuer = asked.issuer === null ? null : (await peopleByName(tx, [asked.issuer])).get(asked.issuer);
    if (issuer === undefined) wrong('issuer', '签发人', `用户“${asked.issuer}”不存在或已停用`);
    found['issuerId'] = issuer?.id ?? null;
  }
  if (asked.due_at !== undefined) {
    found['dueAsked'] = asked.due_at === null ? null : momentOf(asked.due_at).toISOString();
    found['due'] = found['dueAsked'];
  }
  if (asked.category_id) {
    const [row] = await tx
      .select({
        kind: documentCategoryTable.doc_kind,
        rule: documentCategoryTable.number_rule_id,
        redhead: documentCategoryTable.redhead_id,
      })
      .from(documentCategoryTable)
      .where(
        and(
          eq(documentCategoryTable.id, asked.category_id),
          eq(documentCategoryTable.deleted, false),
          eq(documentCategoryTable.status, 1),
        ),
      );
    if (!row) wrong('category_id', '类别', '这个类别不存在或已停用，请重新选择');
    else if (row.kind !== docKind) wrong('category_id', '类别', '这个类别不用于这种公文，请重新选择');
    else {
      if (row.rule && asked.number_rule_id === undefined) found['numberRuleId'] = row.rule;
      if (row.redhead && asked.redhead_id === undefined && (await usableLetterhead(tx, row.redhead)))
        found['redheadId'] = row.redhead;
    }
  }
  if (asked.number_rule_id) {
    const usable = and(eq(numberRuleTable.deleted, false), eq(numberRuleTable.status, 1));
    const [row] = await tx
      .select({ id: numberRuleTable.id })
      .from(numberRuleTable)
      .where(and(eq(numberRuleTable.id, asked.number_rule_id), usable));
    if (!row) wrong('number_rule_id', '机关代字', '这个机关代字不存在或已停用，请重新选择');
  }
  const depts = [...(asked.co_depts ?? []), ...(asked.lead_dept ? [asked.lead_dept] : [])];
  const names = await deptNamesById(tx, depts);
  if (asked.lead_dept && !names.has(asked.lead_dept)) wrong('lead_dept', '主办部门', '部门不存在，请重新选择');
  if (asked.co_depts?.some((one) => !names.has(one))) wrong('co_depts', '协办部门', '部门不存在，请重新选择');
  if (asked.reply_to_id && !(await mayAnswer(asked.reply_to_id)))
    wrong('reply_to_id', '答复的公文', '公文不存在，或您无权查看');
  if (errors.length > 0) throw invalid(errors);
  return found as Partial<Stored>;
}

/** What the workflow is told of a document: the title, who signs it, and who signs for the departments that sign with. */
export async function ticketFields(tx: Db, doc: Pick<Stored, 'docKind' | 'title' | 'coDeptIds' | 'issuerId'>) {
  const { title } = doc;
  if (doc.docKind === 2) return { title };
  const heads = await headsOf(tx, doc.coDeptIds);
  return { title, countersigners: heads.map((person) => person.username), ...(await signerField(tx, doc)) };
}
