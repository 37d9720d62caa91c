import { createHash } from 'node:crypto';
import { and, desc, eq, sql } from 'drizzle-orm';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { cleanHtml } from '#kernel/server/text/rich-text.ts';
import { notAttachable } from '#modules/platform/files/contract.ts';
import { fileById } from '#modules/platform/files/service.ts';
import { dateText } from '#modules/platform/typesetting/service.ts';
import { noContent, textMoved, unfilledVariables, unknownTemplate } from '../contract/refusals-text.ts';
import { templateStatus, type TemplateVariable } from '../contract/templates.ts';
import { textMode } from '../contract/texts.ts';
import { sidesOf } from '../parties/sides.ts';
import { contractTable, contractTemplateTable, contractTemplateVersionTable } from '../tables.ts';
import { contractTextTable } from '../tables.ts';
import { cleanTemplate, compared, filled, valueText, variablesIn } from './elements.ts';

/** The columns of a contract that make its text. */
export type Texted = Pick<
  typeof contractTable.$inferSelect,
  | 'id'
  | 'name'
  | 'our_party'
  | 'amount'
  | 'start_date'
  | 'end_date'
  | 'text_mode'
  | 'template_version_id'
  | 'content'
  | 'text_values'
  | 'file'
  | 'text_version'
>;
type TextColumns = Pick<Texted, 'text_mode' | 'template_version_id' | 'content' | 'text_values' | 'file'>;
type Sent = { [K in keyof TextColumns]?: TextColumns[K] | undefined };

/** A template version with its template. */
export async function templateVersion(tx: Db, id: number) {
  const [found] = await tx
    .select({
      id: contractTemplateVersionTable.id,
      no: contractTemplateVersionTable.no,
      content: contractTemplateVersionTable.content,
      variables: contractTemplateVersionTable.variables,
      template_id: contractTemplateTable.id,
      name: contractTemplateTable.name,
      status: contractTemplateTable.status,
    })
    .from(contractTemplateVersionTable)
    .innerJoin(contractTemplateTable, eq(contractTemplateTable.id, contractTemplateVersionTable.template_id))
    .where(eq(contractTemplateVersionTable.id, id));
  return found;
}

const given = <T>(sent: T | undefined, kept: T): T => (sent === undefined ? kept : sent);
/** The text columns of a contract after a change: the sent ones over the stored ones. */
export async function settleText(tx: Db, sent: Sent, before: TextColumns | null): Promise<TextColumns> {
  const next: TextColumns = {
    text_mode: sent.text_mode ?? before?.text_mode ?? textMode.own,
    template_version_id: given(sent.template_version_id, before?.template_version_id ?? null),
    content: sent.content ?? before?.content ?? '',
    text_values: sent.text_values ?? before?.text_values ?? {},
    file: given(sent.file, before?.file ?? null),
  };
  if (sent.file && !(await fileById(tx, sent.file))) throw notAttachable();
  if (next.text_mode !== textMode.template)
    return { ...next, template_version_id: null, text_values: {}, content: cleanHtml(next.content) };
  // A draft may leave the template open; it then has no text and cannot be sent.
  if (next.template_version_id === null) return { ...next, content: '' };
  const chosen = await templateVersion(tx, next.template_version_id);
  const isNew = next.template_version_id !== before?.template_version_id;
  if (!chosen || (isNew && chosen.status !== templateStatus.inUse)) throw unknownTemplate();
  const content = isNew && sent.content === undefined ? chosen.content : cleanTemplate(next.content);
  return { ...next, content };
}

/** The value of each variable: a fact of the contract, or an entered value. */
async function valuesOf(tx: Db, row: Texted, variables: readonly TemplateVariable[]): Promise<Map<string, string>> {
  const sides = variables.some((one) => one.source === 'party') ? await sidesOf(tx, row.id) : [];
  const facts: Record<NonNullable<TemplateVariable['source']>, () => string> = {
    name: () => row.name,
    our_party: () => row.our_party,
    party: () => sides.map((one) => one.name).join('、'),
    amount: () => moneyText(row.amount),
    amount_upper: () => capitals(row.amount),
    start_date: () => dateText(row.start_date),
    end_date: () => (row.end_date === null ? '长期' : dateText(row.end_date)),
  };
  const typed = new Map(Object.entries(row.text_values));
  return new Map(
    variables.map((one) => [one.key, one.source ? facts[one.source]() : valueText(one, typed.get(one.key) ?? '')]),
  );
}

/** A contract's text with present values, the missing values, and the comparison with its template. */
export async function mergedText(tx: Db, row: Texted) {
  const from = row.template_version_id === null ? undefined : await templateVersion(tx, row.template_version_id);
  if (!from) return { html: row.content, unfilled: [], standard: false, lockedKept: false, from };
  const values = await valuesOf(tx, row, from.variables);
  const labels = new Map(from.variables.map((one) => [one.key, one]));
  const unfilled = variablesIn(row.content)
    .filter((key) => labels.get(key)?.required !== false && !values.get(key))
    .map((key) => labels.get(key)?.label ?? key);
  const html = filled(row.content, (key) => values.get(key) || `【${labels.get(key)?.label ?? key}】`);
  return { html, unfilled, ...compared(row.content, from.content), from };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The text that would be frozen now. Refuses a contract without text or with missing values. */
async function textNow(tx: Db, row: Texted) {
  if (row.text_mode === textMode.file) {
    const file = row.file === null ? undefined : await fileById(tx, row.file);
    if (!file) throw noContent();
    return { html: '', file_id: file.id, sha256: file.sha256, standard: false, locked_kept: false };
  }
  const { html, unfilled, standard, lockedKept } = await mergedText(tx, row);
  if (html === '') throw noContent();
  if (unfilled.length > 0) throw unfilledVariables(unfilled);
  return { html, file_id: null, sha256: sha256(html), standard, locked_kept: lockedKept };
}

/** Refuses a contract whose text is not complete. */
export const refuseUnfinishedText = async (tx: Db, row: Texted): Promise<void> => void (await textNow(tx, row));

/** True if the text equals its template, and if its locked clauses do. */
export async function standingOfText(tx: Db, row: Texted): Promise<{ standard: boolean; lockedKept: boolean }> {
  if (row.text_mode !== textMode.template) return { standard: false, lockedKept: false };
  const { standard, lockedKept } = await mergedText(tx, row);
  return { standard, lockedKept };
}

/** Freezes the text of a contract on sending: a version for each round. Returns the contract's columns to set. */
export async function freezeText(tx: Db, row: Texted, by: number) {
  const { template_version_id } = row;
  const no = row.text_version + 1;
  const now = await textNow(tx, row);
  await tx.insert(contractTextTable).values({ ...now, contract_id: row.id, no, template_version_id, creator_id: by });
  return { text_version: no, is_standard_text: now.standard };
}

/** The latest frozen text, and its hash. */
export async function frozenText(tx: Db, row: Pick<Texted, 'id' | 'text_version'>) {
  const [found] = await tx
    .select()
    .from(contractTextTable)
    .where(and(eq(contractTextTable.contract_id, row.id), eq(contractTextTable.no, row.text_version)));
  return found;
}

/** Refuses a text that differs from the one frozen on sending. */
export async function refuseMovedText(tx: Db, row: Texted): Promise<void> {
  const frozen = await frozenText(tx, row);
  const intact = frozen && (frozen.file_id !== null || sha256(frozen.html) === frozen.sha256);
  if (!intact || frozen.sha256 !== (await textNow(tx, row)).sha256) throw textMoved(row.text_version);
}

/** All frozen texts of a contract, newest first. */
export const textsOf = (tx: Db, id: number) =>
  tx
    .select()
    .from(contractTextTable)
    .where(eq(contractTextTable.contract_id, id))
    .orderBy(desc(contractTextTable.no))
    .limit(50);
/** Files that are frozen texts; they are kept even if others are uploaded. */
export async function frozenFiles(tx: Db, id: number): Promise<Set<number>> {
  const { file_id, contract_id } = contractTextTable;
  const rows = await tx.select({ file_id }).from(contractTextTable).where(eq(contract_id, id));
  return new Set(rows.flatMap((row) => row.file_id ?? []));
}
/** The number of contracts by template version. */
export const usedTimes = sql<number>`(select count(*)::int from contract c
  where c.template_version_id = contract_template_version.id)`;
