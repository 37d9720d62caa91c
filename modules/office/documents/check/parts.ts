import { docType, report, request } from '../contract/shapes.ts';
import { asksInReport, sending, titleEnding, toEverybody } from '../rules/rules.ts';
import { error, onParties, onText, warning, type At, type Check } from './found.ts';

const longTitle = 50;
const body: At = ['正文', 'body_html'];

/** Checks that a 标题 ends with its 文种, contains 关于, has no punctuation at its end and is not too long. */
export const titleChecks: Check = function* ({ doc_kind, doc_type, title }) {
  const at: At = ['标题', 'title'];
  const type = titleEnding(doc_type);
  const trailing = /[。，；：、.,;:\s]+$/u;
  const bare = title.replace(trailing, '');
  if (bare !== title)
    yield error(
      'title_mark',
      at,
      '标题末尾不用标点符号',
      onText((text) => text.replace(trailing, '')),
    );
  if (doc_kind === sending && doc_type !== docType.other && !bare.endsWith(type)) {
    // The title of an order is no sentence: the name of the house stands before 令.
    const mend =
      doc_type === docType.order
        ? undefined
        : onText((text) => `${text.replace(trailing, '').replace(/的$/, '')}的${type}`);
    yield error('title_type', at, `标题应以文种“${type}”结尾`, mend);
  }
  if (
    doc_kind === sending &&
    !docType.is(doc_type, docType.order, docType.bulletin, docType.minutes, docType.other) &&
    !bare.includes('关于')
  )
    yield warning('title_about', at, `标题一般写作“关于…的${type}”`);
  const length = [...title].length;
  if (length > longTitle) yield warning('title_long', at, `标题有 ${length} 个字，建议不超过 ${longTitle} 个字`);
};

const endMark = /[：:，,。；;\s]+$/u;
/** Checks 主送 and 抄送. */
export const partyChecks: Check = function* ({ doc_kind, doc_type, main_send, copy_send }) {
  if (doc_kind !== sending) return;
  const [main, copy]: At[] = [
    ['主送', 'main_send'],
    ['抄送', 'copy_send'],
  ];
  if (main_send.length === 0 && !toEverybody.includes(doc_type))
    yield error('main_missing', main!, '没有主送机关，请填写');
  if (doc_type === request && main_send.length > 1)
    yield error('request_one', main!, `请示只能主送一个机关，现在有 ${main_send.length} 个`);
  for (const [at, parties] of [
    [main!, main_send],
    [copy!, copy_send],
  ] as const) {
    const marked = parties.find((one) => endMark.test(one.name));
    const mend = onParties((all) => all.map((one) => ({ ...one, name: one.name.replace(endMark, '') })));
    if (marked) yield error('party_mark', at, `“${marked.name}”末尾不用标点，冒号和句号在排版时自动加上`, mend);
  }
  const twice = copy_send.filter((one) => main_send.some((other) => other.name === one.name));
  const mend = onParties((all) => all.filter((one) => twice.every((other) => other.name !== one.name)));
  if (twice[0]) yield warning('copy_twice', copy!, `“${twice[0].name}”已是主送，不再抄送`, mend);
};

/** Checks that the 附件说明 agrees with the attachments. */
export const attachmentChecks: Check = function* ({ paragraphs, bodyIsFile, attachments }) {
  if (bodyIsFile) return;
  const text = paragraphs.join('\n');
  if (paragraphs.some((one) => /^\s*附件[:：]/.test(one))) {
    const mend = onText((html) => html.replace(/<p(?: [^>]*)?>\s*附件[:：].*?<\/p>/gs, ''));
    yield error('note_typed', body, '附件说明由系统按附件列表生成，正文里不用再写', mend);
  }
  let max = 0;
  for (const [, named] of text.matchAll(/附件\s*(\d{1,2})(?!\d|[.．、]?\d)/g)) max = Math.max(max, Number(named));
  const mentioned = /(?:见|详见|附)附件|附件[：:\d]/.test(text);
  const count = attachments.length;
  if (count === 0 && mentioned) yield error('note_none', body, '正文提到附件，但没有上传附件');
  else if (max > count && count > 0) yield error('note_fewer', body, `正文提到“附件${max}”，但只有 ${count} 个附件`);
  for (const [index, name] of attachments.entries()) {
    const at: At = [`附件 ${index + 1}`, 'attachments'];
    if (/[。，；、.,;]$/.test(name))
      yield warning('attachment_mark', at, `附件名称“${name}”后面不加标点，请改名后重新上传`);
    if (/^附件\s*[\d一二三四五六七八九十：:]/.test(name))
      yield warning('attachment_number', at, `附件名称“${name}”不用写序号，序号在排版时自动加上`);
    const own = /^(\d{1,2})\s*(?:、|[.．](?!\d))/.exec(name)?.[1];
    if (own !== undefined && Number(own) !== index + 1)
      yield warning(
        'attachment_number',
        at,
        `附件名称“${name}”排在第 ${index + 1}，印出来序号是 ${index + 1}，请调整次序`,
      );
  }
};

/** Checks the wording required and forbidden in requests and reports. */
export const wordingChecks: Check = function* (doc) {
  const { doc_kind, doc_type, body_html, bodyIsFile } = doc;
  if (doc_kind !== sending) return;
  if (!bodyIsFile && !body_html) yield error('body_missing', body, '没有正文，请填写');
  if (doc_type === request) {
    if (!doc.contact_name || !doc.contact_phone)
      yield error('request_contact', ['附注', 'contact_name'], '请示应在附注处注明联系人和电话');
    if (body_html && !/妥否|当否|请(?:予|批|审|示)|是否(?:妥当|可行)/.test(body_html)) {
      const mend = onText((html) => `${html}<p>妥否，请批示。</p>`);
      yield warning('request_end', body, '请示一般以“妥否，请批示。”结尾', mend);
    }
  }
  const [asks] = doc_type === report ? asksInReport(doc, doc.asking) : [];
  if (asks) yield error('report_asks', body, `报告中不得夹带请示事项，正文里有“${asks}”`);
  if ((doc.upward || doc_type === docType.order) && !doc.hasIssuer) {
    const what = doc.upward ? '上行文' : '命令（令）';
    yield error('issuer_missing', ['签发人', 'issuer'], `${what}应标注签发人，请选择本单位主要负责人`);
  }
  const [orgs, named] = [doc.joint_orgs.length, doc.joint_issuers.length];
  if (doc.upward && named < orgs)
    yield warning(
      'issuer_fewer',
      ['签发人', 'joint_issuers'],
      `联合行文的上行文应标注各机关的签发人，还缺 ${orgs - named} 个机关的`,
    );
};

/** Checks 成文日期 and 版记. */
export const closingChecks: Check = function* (doc) {
  if (doc.doc_kind !== sending) return;
  const said = doc.doc_number ? error : warning;
  if (doc.signed && !doc.written_date)
    yield error('date_missing', ['成文日期', 'written_date'], '已经签发，但没有成文日期');
  if (!doc.print_org) {
    const mend = doc.issue_org ? () => `${doc.issue_org}办公室` : undefined;
    yield said('print_org', ['版记', 'print_org'], '版记没有印发机关，一般是办公厅（室）', mend);
  }
  if (!doc.print_date) {
    const day = doc.written_date && doc.written_date > doc.today ? doc.written_date : doc.today;
    yield said('print_date', ['版记', 'print_date'], '版记没有印发日期', doc.signed ? () => day : undefined);
  }
};
