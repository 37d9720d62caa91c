import { houseNow } from '#kernel/server/process/clock.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById, type Opens } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { headFor } from '#modules/platform/letterheads/service.ts';
import { opinionsOnPaper } from '#modules/workflow/tickets/service.ts';
import { docKind, docLevel, docType, secretLevel } from '../contract/shapes.ts';
import { subordinatesAmong } from '../rules/subordinates.ts';
import { directionOf, receiving, sending } from '../rules/rules.ts';
import { sheetOpinions } from '../records/opinions.ts';
import { colophonOf } from './colophon.ts';
import type { Stored } from '../visibility/visibility.ts';
import {
  dateText,
  formOf,
  type PdfInput,
  type SheetFact,
  type SheetInput,
} from '#modules/platform/typesetting/service.ts';

const red = '#e60012';
const aliasOf = async (tx: Db, id: number | null) =>
  id === null ? '' : ((await peopleById(tx, [id])).get(id)?.alias ?? '');
const names = (parties: readonly { name: string }[]) => parties.map((one) => one.name);

/** A number that the author typed before a name: names are numbered in print, which would repeat it. */
const ownNumber = /^\d{1,2}\s*[.．、]\s*(?=[\p{L}《“（(])/u;
export const attachmentTitle = (name: string): string => name.replace(ownNumber, '');
/** Names of a document's attachments without extension, in order, as the author wrote them. */
export async function givenNames(tx: Db, { attachments }: Pick<Stored, 'attachments'>): Promise<string[]> {
  const files = await filesById(tx, attachments);
  return attachments.flatMap((id) => files.get(id)?.name.replace(/\.[^.]+$/, '') || []);
}
/** The same as they are printed, numbered by order. */
export const attachmentNames = async (tx: Db, doc: Pick<Stored, 'attachments'>): Promise<string[]> =>
  (await givenNames(tx, doc)).map(attachmentTitle);

/** Collects the input of the finished document for this day. The caller has checked that the reader may see it. */
export async function pdfInputOf(tx: Db, doc: Stored, now = houseNow()): Promise<PdfInput> {
  const colophon = await colophonOf(tx, doc, dayOf(now));
  const upward = directionOf(doc, await subordinatesAmong(tx, doc)) === 1;
  const isSent = doc.doc_kind === sending;
  const form = isSent ? formOf(doc.doc_type) : 'document';
  const issuer = isSent && (upward || form === 'order') ? await aliasOf(tx, doc.issuer) : '';
  const beside = upward && doc.joint_orgs.length > 0 ? doc.joint_issuers : [];
  const head = isSent ? await headFor(tx, { chosen: doc.redhead_id, docType: doc.doc_type }) : null;
  return {
    form,
    head: isSent ? { orgLine: head?.orgLine ?? '', colour: head?.colour ?? red, line: head?.line ?? 1 } : null,
    title: doc.title,
    docNumber: doc.doc_number,
    copyNo: doc.copy_no,
    secrecy: doc.secret_level > secretLevel.none ? secretLevel.label(doc.secret_level) : '',
    secretPeriod: doc.secret_period,
    urgency: doc.level > docLevel.usual ? docLevel.label(doc.level) : '',
    issueOrg: doc.issue_org,
    jointOrgs: doc.joint_orgs,
    issuers: [...(issuer ? [issuer] : []), ...beside],
    mainSend: names(doc.main_send),
    copySend: names(doc.copy_send),
    bodyHtml: doc.body_html,
    bodyFile: null,
    attachments: await attachmentNames(tx, doc),
    annexes: [],
    writtenDate: doc.written_date,
    annotation: doc.annotation,
    contactName: isSent ? doc.contact_name : '',
    contactPhone: isSent ? doc.contact_phone : '',
    printOrg: colophon.print_org,
    printDate: colophon.print_date,
  };
}

const sheetNames: Readonly<Record<number, string>> = { 1: '发文稿纸', 2: '文件处理单', 3: '签报单' };

function factsOf(
  doc: Stored,
  opinions: Awaited<ReturnType<typeof sheetOpinions>>,
  known: { author: string; depts: ReadonlyMap<number, string>; attachments: string[] },
) {
  const wide = (label: string, value: string): SheetFact => ({ label, value, wide: true });
  const { author, depts } = known;
  const dept = depts.get(doc.dept_id ?? 0) ?? '';
  const level = { label: '紧急程度', value: docLevel.label(doc.level) };
  const secrecy = [secretLevel.label(doc.secret_level), doc.secret_period].filter(Boolean).join(' ');
  const attachments = known.attachments.map((name, index) => `${index + 1}. ${name}`).join('\n');
  const co = doc.co_depts.map((id) => depts.get(id) ?? '').join('、');
  const common = [wide('标题', doc.title)];
  if (doc.doc_kind === receiving)
    return [
      { label: '收文编号', value: doc.receipt_no },
      { label: '收文日期', value: dateText(doc.received_date) },
      { label: '来文单位', value: doc.from_org },
      { label: '来文字号', value: doc.from_number },
      ...common,
      { label: '份数', value: doc.from_copies ? String(doc.from_copies) : '' },
      level,
      { label: '密级', value: secrecy },
      { label: '主办部门', value: depts.get(doc.lead_dept ?? 0) ?? '' },
      wide('协办部门', co),
      wide('附件', attachments),
      wide('拟办意见', opinions.propose),
      wide('领导批示', opinions.decide),
      wide('办理结果', opinions.carry),
    ];
  const countersigned = [
    wide('会签部门', co),
    ...(opinions.countersign ? [wide('会签意见', opinions.countersign)] : []),
  ];
  const drafted = [
    { label: '拟稿部门', value: dept },
    { label: '拟稿人', value: [author, doc.contact_phone].filter(Boolean).join(' ') },
  ];
  if (doc.doc_kind !== sending) return [...common, ...drafted, level, ...countersigned, wide('附件', attachments)];
  return [
    { label: '发文字号', value: doc.doc_number },
    level,
    ...common,
    { label: '文种', value: docType.label(doc.doc_type) },
    { label: '密级', value: secrecy },
    wide('发文机关', [doc.issue_org, ...doc.joint_orgs].filter(Boolean).join('、')),
    wide('主送', names(doc.main_send).join('、')),
    wide('抄送', names(doc.copy_send).join('、')),
    ...drafted,
    { label: '签发日期', value: dateText(doc.sign_date) },
    { label: '成文日期', value: dateText(doc.written_date) },
    { label: '印发机关', value: doc.print_org },
    {
      label: '印发',
      value: [dateText(doc.print_date), doc.print_copies && `${doc.print_copies} 份`].filter(Boolean).join(' '),
    },
    ...countersigned,
    wide('附件', attachments),
  ];
}

/** Collects a processing sheet with all opinions, signatures and times. The caller has checked that the reader may see it. */
export async function sheetInputOf(tx: Db, fileStore: Opens, doc: Stored): Promise<SheetInput> {
  const ids = [doc.dept_id, doc.lead_dept, ...doc.co_depts].filter((id) => id !== null);
  const known = {
    author: await aliasOf(tx, doc.creator_id),
    depts: await deptNamesById(tx, ids),
    attachments: await attachmentNames(tx, doc),
  };
  const opinions = doc.ticket_id === null ? [] : await opinionsOnPaper(tx, fileStore, doc.ticket_id);
  return {
    name: sheetNames[doc.doc_kind] ?? docKind.label(doc.doc_kind),
    org: doc.doc_kind === sending ? doc.issue_org : '',
    facts: factsOf(doc, await sheetOpinions(tx, doc), known),
    opinions,
  };
}
