import { and, eq } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { cleanHtml, textOf } from '#kernel/server/text/rich-text.ts';
import { fileById } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleByName } from '#modules/platform/people/service.ts';
import { usableLetterhead } from '#modules/platform/letterheads/service.ts';
import { otherKindOfBody } from '../bodies/refused.ts';
import { bodyKinds } from '../contract/files/body.ts';
import { docKind, type DocumentFields, fieldTitles, foreignTo, longestBody } from '../contract/shapes.ts';
import { documentCategoryTable, numberRuleTable, type documentTable } from '../tables.ts';
import { documentRules, issuingOrgs } from '../contract/rules.ts';
import { receiving, sending } from '../rules/rules.ts';
import { addressees } from './addressees.ts';
import { docs } from './record.ts';

type Columns = typeof documentTable.$inferInsert;

const isFilled = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '' && value !== false;

/** True if the number rule is in use. */
async function isRuleInUse(tx: Db, rule: number): Promise<boolean> {
  const { id, is_deleted, status } = numberRuleTable;
  return (await tx.$count(numberRuleTable, and(eq(id, rule), eq(is_deleted, false), eq(status, onOff.on)))) > 0;
}

/** Converts the sent fields into columns; throws `invalid` for references to missing records. */
export async function columnsOf(tx: Db, user: Viewer, asked: DocumentFields, kind: number): Promise<Partial<Columns>> {
  const errors: FieldError[] = [];
  const wrong = (field: string, label: string, msg: string) => errors.push({ field, label, msg });
  // The issuer is sent by user name, and the deadline as local time.
  const { issuer: named, due_at, ...own } = asked;
  const found: Partial<Columns> = { ...(own satisfies Partial<Pick<Columns, keyof typeof own>>) };
  for (const key of foreignTo(kind))
    if (isFilled(asked[key])) wrong(key, fieldTitles[key] ?? key, `${docKind.label(kind)}没有这一项，请删去`);
  if (asked.body_html !== undefined) {
    const html = cleanHtml(asked.body_html);
    const length = charactersIn(textOf(html));
    if (length > longestBody) wrong('body_html', '正文', `最多 ${longestBody} 个字，现有 ${length} 个字`);
    found.body_html = html;
  }
  if (asked.body_file) {
    const file = await fileById(tx, asked.body_file);
    if (file && !bodyKinds.some((kind) => kind === file.ext)) throw otherKindOfBody(file.name);
  }
  if (asked.redhead_id && !(await usableLetterhead(tx, asked.redhead_id)))
    wrong('redhead_id', '红头模板', '这个红头模板不存在或已停用，请重新选择');
  if (named !== undefined) {
    const issuer = named === null ? null : (await peopleByName(tx, [named])).get(named);
    if (issuer === undefined) wrong('issuer', '签发人', `用户“${named}”不存在或已停用`);
    found.issuer = issuer?.id ?? null;
  }
  const { sent, errors: nowhere } = await addressees(tx, asked);
  Object.assign(found, sent);
  errors.push(...nowhere);
  if (due_at !== undefined) {
    found.due_asked = due_at === null ? null : momentOf(due_at).toISOString();
    found.due_at = found.due_asked;
  }
  if (asked.issue_org && kind === sending) {
    const { settings } = tx.services;
    const { name: site } = await settings.get('site');
    const isListed = (rules: Parameters<typeof issuingOrgs>[0]) => issuingOrgs(rules, site).includes(asked.issue_org!);
    // The cached rules may be outdated, so they are read again before refusing.
    if (!isListed(await settings.of(documentRules)) && !isListed((await readRules(tx, documentRules)).value))
      wrong(
        'issue_org',
        '发文机关',
        `“${asked.issue_org}”不在发文机关名单里，请从名单中选择；需要添加的，请党政办在“类别与字号”的“公文规则”里添加`,
      );
  }
  if (asked.category_id) {
    const { id, is_deleted, status } = documentCategoryTable;
    const [row] = await tx
      .select()
      .from(documentCategoryTable)
      .where(and(eq(id, asked.category_id), eq(is_deleted, false), eq(status, onOff.on)));
    if (!row) wrong('category_id', '类别', '这个类别不存在或已停用，请重新选择');
    else if (row.doc_kind !== kind) wrong('category_id', '类别', '这个类别不用于这种公文，请重新选择');
    else {
      if (row.number_rule_id && asked.number_rule_id === undefined && (await isRuleInUse(tx, row.number_rule_id)))
        found.number_rule_id = row.number_rule_id;
      if (row.redhead_id && asked.redhead_id === undefined && (await usableLetterhead(tx, row.redhead_id)))
        found.redhead_id = row.redhead_id;
    }
  }
  if (asked.number_rule_id && !(await isRuleInUse(tx, asked.number_rule_id)))
    wrong('number_rule_id', '机关代字', '这个机关代字不存在或已停用，请重新选择');
  // A reserved number belongs to a rule, so changing the rule clears it.
  if (asked.number_rule_id !== undefined && asked.reserved_no === undefined) found.reserved_no = null;
  if (kind === receiving)
    for (const [key, label] of [
      ['lead_dept', '主办部门'],
      ['co_depts', '协办部门'],
    ] as const)
      if (asked[key] !== undefined) wrong(key, label, '来文的承办部门在拟办或批示时选择');
  const depts = [...(asked.co_depts ?? []), ...(asked.lead_dept ? [asked.lead_dept] : [])];
  if (asked.co_depts) found.co_depts = [...new Set(asked.co_depts)];
  const names = await deptNamesById(tx, depts);
  if (asked.lead_dept && !names.has(asked.lead_dept)) wrong('lead_dept', '主办部门', '部门不存在，请重新选择');
  if (asked.co_depts?.some((one) => !names.has(one))) wrong('co_depts', '协办部门', '部门不存在，请重新选择');
  if (asked.reply_to_id && !(await docs.find(tx, await docs.viewerOf(tx, user), asked.reply_to_id)))
    wrong('reply_to_id', '答复的公文', '公文不存在，或您无权查看');
  if (errors.length > 0) throw invalid(errors);
  return found;
}
