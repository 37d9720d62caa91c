import { dayOf } from '#kernel/contract/moment.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { docType, keyOf, opinion, report, request, secretLevel } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { namesSeveral } from './several.ts';

/** The fields that are checked in drafts, too. */
type Drafted = Pick<
  Stored,
  | 'doc_kind'
  | 'secret_level'
  | 'secret_period'
  | 'copy_no'
  | 'due_asked'
  | 'received_date'
  | 'written_date'
  | 'print_date'
>;
/** Facts of the organisation. */
export interface Known {
  allowSecret: boolean;
  /** Addressees subordinate to the sender, by `keyOf`. */
  below: ReadonlySet<string>;
  /** True if the issuer is a main leader of the organisation. */
  issuerLeads: boolean;
}

export const sending = 1;
export const receiving = 2;
export const memo = 3;

/** 1 upward, 2 level, 3 downward: by type, and for an opinion by its addressees. */
export function directionOf(
  { doc_type, main_send }: Pick<Stored, 'doc_type' | 'main_send'>,
  below: ReadonlySet<string>,
) {
  if (doc_type === request || doc_type === report) return 1;
  const down = main_send.some((one) => below.has(keyOf(one)));
  // 各学院、各部门: such collective addressees are always subordinate.
  const all = main_send.some((one) => one.name.startsWith('各'));
  if (doc_type === opinion && main_send.length > 0) return down || all ? 3 : 1;
  return down || docType.is(doc_type, docType.decision, docType.order, docType.notice, docType.circular, docType.reply)
    ? 3
    : 2;
}

const fault = (field: string, label: string, msg: string): FieldError => ({ field, label, msg });

/** Faults that are never allowed, not even in a draft. */
export function alwaysWrong(doc: Drafted, { allowSecret }: Pick<Known, 'allowSecret'>): FieldError[] {
  const errors: FieldError[] = [];
  if (doc.secret_level > secretLevel.none && !allowSecret)
    errors.push(fault('secret_level', '密级', '本系统不处理涉密公文，请勿录入，按保密规定在涉密系统中办理'));
  else if (doc.secret_level > secretLevel.none) {
    if (!doc.secret_period) errors.push(fault('secret_period', '保密期限', '涉密公文必须填写'));
    if (!/^\d{6}$/.test(doc.copy_no)) errors.push(fault('copy_no', '份号', '涉密公文必须填写 6 位份号'));
  }
  if (doc.due_asked !== null && doc.doc_kind !== receiving)
    errors.push(fault('due_at', '办理时限', '只有收文填写办理时限，其他公文按紧急程度计算'));
  else if (doc.due_asked && doc.received_date && dayOf(new Date(doc.due_asked)) < doc.received_date)
    errors.push(fault('due_at', '办理时限', `不能早于收文日期 ${doc.received_date}`));
  if (doc.written_date && doc.print_date && doc.print_date < doc.written_date)
    errors.push(fault('print_date', '印发日期', `不能早于成文日期 ${doc.written_date}`));
  return errors;
}

/** 决议、命令、公报、公告、通告、纪要: published to everybody or to the participants, so they need no addressees. */
export const toEverybody: readonly number[] = [1, 3, 4, 5, 6, 15];
/** The ending of a title: 令 for 命令, else the type. */
export const titleEnding = (code: number): string => (code === docType.order ? '令' : docType.label(code));

/** All faults that prevent a document from being sent. */
export function unready(doc: Stored, known: Known): FieldError[] {
  const errors = alwaysWrong(doc, known);
  const want = (there: unknown, field: string, label: string) => {
    if (!there) errors.push(fault(field, label, unfilled));
  };
  const type = docType.label(doc.doc_type);
  if (doc.doc_kind === receiving) {
    want(doc.from_org, 'from_org', '来文单位');
    want(doc.received_date, 'received_date', '收文日期');
    return errors;
  }
  want(doc.body_html || doc.body_file, 'body_html', '正文');
  if (doc.publicity === 3) want(doc.publicity_reason, 'publicity_reason', '不公开理由');
  if (doc.doc_kind !== sending) return errors;
  want(doc.issue_org, 'issue_org', '发文机关');
  if (!toEverybody.includes(doc.doc_type)) want(doc.main_send.length, 'main_send', '主送');
  const ending = titleEnding(doc.doc_type);
  if (doc.doc_type !== docType.other && !doc.title.endsWith(ending))
    errors.push(
      fault(
        'title',
        '标题',
        doc.doc_type === docType.order ? '应以“令”结尾，如“某某大学令”' : `应以文种结尾，如“…关于…的${type}”`,
      ),
    );
  if (doc.doc_type === request) errors.push(...requestFaults(doc, known));
  if (doc.joint_orgs.includes(doc.issue_org))
    errors.push(fault('joint_orgs', '联合发文机关', `“${doc.issue_org}”是主办机关，不用再写`));
  if (doc.joint_issuers.length > doc.joint_orgs.length)
    errors.push(
      fault(
        'joint_issuers',
        '联合机关签发人',
        `签发人有 ${doc.joint_issuers.length} 名，联合发文机关只有 ${doc.joint_orgs.length} 个，请核对`,
      ),
    );
  const upward = directionOf(doc, known.below) === 1;
  if (upward || doc.doc_type === docType.order) {
    const what = upward ? `上行文“${type}”` : '命令（令）';
    if (doc.issuer === null) errors.push(fault('issuer', '签发人', `${what}必须标注签发人`));
    else if (!known.issuerLeads)
      errors.push(fault('issuer', '签发人', `${upward ? '上行文' : what}由本单位主要负责人签发，请选择校领导`));
  }
  return errors;
}

function requestFaults(doc: Stored, { below }: Known): FieldError[] {
  const errors: FieldError[] = [];
  if (doc.main_send.length > 1)
    errors.push(fault('main_send', '主送', `请示只能主送一个机关，现在有 ${doc.main_send.length} 个`));
  const [only] = doc.main_send;
  if (only && doc.main_send.length === 1 && namesSeveral(only.name))
    errors.push(fault('main_send', '主送', `请示只能主送一个机关，“${only.name}”不止一个`));
  const beneath = doc.main_send.find((one) => below.has(keyOf(one)));
  if (beneath) errors.push(fault('main_send', '主送', `请示不能主送下级“${beneath.name}”，请改为主送上级机关`));
  const person = doc.main_send.find((one) => one.type === 'user');
  if (person && !doc.leader_assigned)
    errors.push(fault('main_send', '主送', `除领导交办外，请示不能送“${person.name}”个人，请改为主送机关`));
  const lower = doc.copy_send.find((one) => below.has(keyOf(one)));
  if (lower) errors.push(fault('copy_send', '抄送', `请示不得抄送下级“${lower.name}”，请删去`));
  if (!doc.contact_name) errors.push(fault('contact_name', '联系人', '请示必须在附注中写明联系人'));
  if (!doc.contact_phone) errors.push(fault('contact_phone', '联系电话', '请示必须在附注中写明联系电话'));
  return errors;
}

/** Words in a report that ask for something (`asking`, from the rules), which needs a request; `inFile` is the text of a body file. */
export function asksInReport(
  doc: Pick<Stored, 'doc_type' | 'body_html'>,
  asking: readonly string[],
  inFile = '',
): string[] {
  if (doc.doc_type !== report) return [];
  const text = withoutSpaces(textOf(doc.body_html) + inFile);
  return asking.filter((phrase) => text.includes(withoutSpaces(phrase)));
}
const withoutSpaces = (words: string) => words.replace(/\s/g, '');

/** In this order, they signal a second matter in a request. */
const askingAgain = [/[；;。]/, /另|同时|此外/, /请示|申请|恳请/];
function asksTwice(text: string): boolean {
  let rest = text;
  return askingAgain.every((word) => {
    const found = word.exec(rest);
    if (found) rest = rest.slice(found.index + found[0].length);
    return found !== null;
  });
}

const longTitle = 50;
/** Unusual points that are allowed; `phrase` is the first that seems to ask for something in a report. */
export function warningsOf(
  doc: Pick<Stored, 'title' | 'doc_type' | 'body_html'>,
  [phrase]: readonly string[],
): string[] {
  const length = [...doc.title].length;
  return [
    ...(length > longTitle ? [`标题有 ${length} 个字，建议不超过 ${longTitle} 个字`] : []),
    ...(phrase ? [`正文里有“${phrase}”，报告中不得夹带请示事项`] : []),
    ...(doc.doc_type === request && asksTwice(textOf(doc.body_html))
      ? ['正文里可能不止一个请示事项，请示应当一文一事']
      : []),
  ];
}

/** Working days from sending to the deadline, by level. */
export const workingDays: Readonly<Record<number, number>> = { 0: 5, 1: 2, 2: 1 };
