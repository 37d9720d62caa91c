import { docTypes, report, request, type Party } from '../contract/shapes.ts';
import { asksInReport, sending } from '../rules/rules.ts';
import type { Check, Found, Value } from './found.ts';

const longTitle = 50;
/** 决议, 命令, 公报, 公告, 通告 and 纪要 address nobody by name. */
const toNobody = new Set([1, 3, 4, 5, 6, 15]);
const textual = (change: (text: string) => string) => (value: Value) =>
  typeof value === 'string' ? change(value) : value;

/** 标题 ends with its 文种, says 关于, has no mark at its end and is not too long. */
export const titleChecks: Check = ({ doc_kind: docKind, doc_type: docType, title }) => {
  const found: Found[] = [];
  const at = { place: '标题', field: 'title' };
  const type = docTypes[docType] ?? '';
  const trailing = /[。，；：、.,;:\s]+$/u;
  if (trailing.test(title)) {
    const mend = textual((text) => text.replace(trailing, ''));
    found.push({ code: 'title_mark', severity: 'error', ...at, msg: '标题末尾不用标点符号', mend });
  }
  const bare = title.replace(trailing, '');
  if (docKind === sending && docType !== 99 && !bare.endsWith(type)) {
    const mend = textual((text) => `${text.replace(trailing, '').replace(/的$/, '')}的${type}`);
    found.push({ code: 'title_type', severity: 'error', ...at, msg: `标题应以文种“${type}”结尾`, mend });
  }
  if (docKind === sending && ![3, 4, 15, 99].includes(docType) && !bare.includes('关于'))
    found.push({ code: 'title_about', severity: 'warning', ...at, msg: `标题一般写作“关于…的${type}”` });
  const length = [...title].length;
  if (length > longTitle)
    found.push({
      code: 'title_long',
      severity: 'warning',
      ...at,
      msg: `标题有 ${length} 个字，建议不超过 ${longTitle} 个字`,
    });
  return found;
};

const endMark = /[：:，,。；;\s]+$/u;
/** 主送 and 抄送. */
export const partyChecks: Check = ({
  doc_kind: docKind,
  doc_type: docType,
  main_send: mainSend,
  copy_send: copySend,
}) => {
  if (docKind !== sending) return [];
  const found: Found[] = [];
  const main = { place: '主送', field: 'main_send' };
  if (mainSend.length === 0 && !toNobody.has(docType))
    found.push({ code: 'main_missing', severity: 'error', ...main, msg: '没有主送机关，请填写' });
  if (docType === request && mainSend.length > 1)
    found.push({
      code: 'request_one',
      severity: 'error',
      ...main,
      msg: `请示只能主送一个机关，现在有 ${mainSend.length} 个`,
    });
  for (const [place, field, parties] of [
    ['主送', 'main_send', mainSend],
    ['抄送', 'copy_send', copySend],
  ] as const) {
    const marked = parties.filter((one) => endMark.test(one.name));
    if (marked.length > 0) {
      const mend = (value: Value) =>
        Array.isArray(value)
          ? (value as Party[]).map((one) => ({ ...one, name: one.name.replace(endMark, '') }))
          : value;
      const msg = `“${marked[0]!.name}”末尾不用标点，冒号和句号在排版时自动加上`;
      found.push({ code: 'party_mark', severity: 'error', place, field, msg, mend });
    }
  }
  const twice = copySend.filter((one) => mainSend.some((other) => other.name === one.name));
  if (twice.length > 0) {
    const mend = (value: Value) =>
      Array.isArray(value)
        ? (value as Party[]).filter((one) => twice.every((other) => other.name !== one.name))
        : value;
    const msg = `“${twice[0]!.name}”已是主送，不再抄送`;
    found.push({ code: 'copy_twice', severity: 'warning', place: '抄送', field: 'copy_send', msg, mend });
  }
  return found;
};

/** 附件说明 agrees with the attachments. */
export const attachmentChecks: Check = ({ paragraphs, bodyIsFile, attachments }) => {
  if (bodyIsFile) return [];
  const found: Found[] = [];
  const text = paragraphs.join('\n');
  const body = { place: '正文', field: 'body_html' };
  const typed = paragraphs.some((one) => /^\s*附件[:：]/.test(one));
  if (typed) {
    const mend = textual((html) => html.replace(/<p(?: [^>]*)?>\s*附件[:：].*?<\/p>/gs, ''));
    const msg = '附件说明由系统按附件列表生成，正文里不用再写';
    found.push({ code: 'note_typed', severity: 'error', ...body, msg, mend });
  }
  let max = 0;
  for (const [, named] of text.matchAll(/附件\s*(\d{1,2})(?!\d|[.．、]?\d)/g)) max = Math.max(max, Number(named));
  const mentioned = /(?:见|详见|附)附件|附件[：:\d]/.test(text);
  if (attachments.length === 0 && mentioned)
    found.push({ code: 'note_none', severity: 'error', ...body, msg: '正文提到附件，但没有上传附件' });
  else if (max > attachments.length && attachments.length > 0) {
    const msg = `正文提到“附件${max}”，但只有 ${attachments.length} 个附件`;
    found.push({ code: 'note_fewer', severity: 'error', ...body, msg });
  }
  attachments.forEach((name, index) => {
    const at = { place: `附件 ${index + 1}`, field: 'attachments', severity: 'warning' as const };
    if (/[。，；、.,;]$/.test(name))
      found.push({ code: 'attachment_mark', ...at, msg: `附件名称“${name}”后面不加标点，请改名后重新上传` });
    if (/^(?:附件|\d+[.、])/.test(name))
      found.push({ code: 'attachment_number', ...at, msg: `附件名称“${name}”不用写序号，序号在排版时自动加上` });
  });
  return found;
};

/** What a request and a report must say and must not. */
export const wordingChecks: Check = (doc) => {
  const { doc_kind: docKind, doc_type: docType, body_html: bodyHtml, bodyIsFile } = doc;
  if (docKind !== sending) return [];
  const found: Found[] = [];
  const body = { place: '正文', field: 'body_html' };
  if (!bodyIsFile && !bodyHtml)
    found.push({ code: 'body_missing', severity: 'error', ...body, msg: '没有正文，请填写' });
  if (docType === request) {
    if (!doc.contact_name || !doc.contact_phone)
      found.push({
        code: 'request_contact',
        severity: 'error',
        place: '附注',
        field: 'contact_name',
        msg: '请示应在附注处注明联系人和电话',
      });
    if (bodyHtml && !/妥否|当否|请(?:予|批|审|示)|是否(?:妥当|可行)/.test(bodyHtml)) {
      const mend = textual((html) => `${html}<p>妥否，请批示。</p>`);
      found.push({ code: 'request_end', severity: 'warning', ...body, msg: '请示一般以“妥否，请批示。”结尾', mend });
    }
  }
  const [asks] = docType === report ? asksInReport(doc) : [];
  if (asks)
    found.push({ code: 'report_asks', severity: 'error', ...body, msg: `报告中不得夹带请示事项，正文里有“${asks}”` });
  if (doc.upward && !doc.hasIssuer)
    found.push({
      code: 'issuer_missing',
      severity: 'error',
      place: '签发人',
      field: 'issuer',
      msg: '上行文应标注签发人，请选择本单位主要负责人',
    });
  return found;
};

/** 成文日期 and the block of printing. */
export const closingChecks: Check = (doc) => {
  if (doc.doc_kind !== sending) return [];
  const found: Found[] = [];
  const severity = doc.doc_number ? 'error' : 'warning';
  if (doc.signed && !doc.written_date)
    found.push({
      code: 'date_missing',
      severity: 'error',
      place: '成文日期',
      field: 'written_date',
      msg: '已经签发，但没有成文日期',
    });
  if (!doc.print_org) {
    const mend = doc.issue_org ? () => `${doc.issue_org}办公室` : undefined;
    const at = { place: '版记', field: 'print_org', msg: '版记没有印发机关，一般是办公厅（室）' };
    found.push({ code: 'print_org', severity, ...at, ...(mend && { mend }) });
  }
  if (!doc.print_date) {
    const day = doc.written_date && doc.written_date > doc.today ? doc.written_date : doc.today;
    const at = { place: '版记', field: 'print_date', msg: '版记没有印发日期' };
    found.push({ code: 'print_date', severity, ...at, ...(doc.signed && { mend: () => day }) });
  }
  return found;
};
