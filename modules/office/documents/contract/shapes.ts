import { z } from 'zod';
import { codeSet } from '#kernel/contract/codes.ts';
import {
  actions,
  day,
  id,
  line,
  localMoment,
  name,
  personLine,
  telephone,
  text,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { field, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { approvalShape } from '#modules/workflow/tickets/contract/approval.ts';
import { PersonInfo } from '#modules/workflow/tickets/contract/shapes.ts';
import { Archive } from './archived.ts';
import { Revision } from './revision.ts';

const int = z.number().int();
export const docKind = codeSet({ sending: [1, '发文'], receiving: [2, '收文'], memo: [3, '签报'] });
/** The fifteen types of the regulation, and others. */
export const docType = codeSet({
  resolution: [1, '决议'],
  decision: [2, '决定'],
  order: [3, '命令'],
  bulletin: [4, '公报'],
  announcement: [5, '公告'],
  proclamation: [6, '通告'],
  opinion: [7, '意见'],
  notice: [8, '通知'],
  circular: [9, '通报'],
  report: [10, '报告'],
  request: [11, '请示'],
  reply: [12, '批复'],
  motion: [13, '议案'],
  letter: [14, '函'],
  minutes: [15, '纪要'],
  other: [99, '其他'],
});
export const docLevel = codeSet({ usual: [0, '普通'], urgent: [1, '加急'], most: [2, '特急'] });
export const secretLevel = codeSet({
  none: [0, '无'],
  secret: [1, '秘密'],
  confidential: [2, '机密'],
  top: [3, '绝密'],
});
/** The openness of a document to the public. */
export const publicity = codeSet({ open: [1, '主动公开'], onRequest: [2, '依申请公开'], closed: [3, '不予公开'] });
export const { report, request, opinion } = docType;

export const DocKind = z.union([z.literal(1), z.literal(2), z.literal(3)]);
const DocType = z.union([z.int().min(1).max(15), z.literal(99)]);
export const Level = z.int().min(0).max(2);

/** True if the words may name an organisation; pinyin letters typed on the way to a name may not. */
export const isOrganisation = (words: string): boolean => /\p{Script=Han}.*\p{Script=Han}/u.test(words);

/** An addressee: a department or person of the house, or an outside organisation by name. */
export const Party = z
  .object({ type: z.enum(['dept', 'org', 'user']), id: id.optional(), name: name(100) })
  .refine((party) => party.type !== 'org' || isOrganisation(party.name), {
    path: ['name'],
    error: ({ input }) =>
      `“${(input as { name?: string }).name ?? ''}”不是单位名称，请从部门中选择，或写出外单位的名称`,
  });
export type Party = z.output<typeof Party>;
/** A key that identifies an addressee. */
export const keyOf = ({ type, id: number, name: words }: Party): string =>
  number === undefined ? words : `${type}:${number}`;
/** The separators between names; 各学院、各部门 are two addressees. */
export const between = /[、，,；;]+/;
const apart = (words: string) =>
  words
    .split(between)
    .map((one) => one.trim())
    .filter(Boolean);
/** One addressee per name: several organisations in one name are split. */
const parties = z
  .array(Party)
  .transform((all) =>
    all.flatMap((party) => (party.type === 'org' ? apart(party.name).map((name) => ({ ...party, name })) : party)),
  )
  .refine((all) => all.length <= 100, '最多 100 个');
export const mostAttachments = 20;
const files = z.array(id).max(mostAttachments, `最多 ${mostAttachments} 个附件`);
const longestHtml = 600_000;
/** The limit of tags and references, because parsing one costs as much as hundreds of characters. */
const mostMarks = 20_000;
const marksIn = (html: string) => (html.match(/[<&]/g) ?? []).length;
export const longestBody = 100_000;
const nullable = <S extends z.ZodType>(schema: S) => schema.nullable();

/** Fields written by the author. A draft needs only the title. */
const written = {
  category_id: nullable(id).meta({ title: '类别' }),
  doc_type: DocType.meta({ title: '文种' }),
  title: name(200).meta({ title: '标题' }),
  summary: line(500).meta({ title: '摘要' }),
  keywords: line(100).meta({ title: '关键词' }),
  number_rule_id: nullable(id).meta({ title: '机关代字' }),
  redhead_id: nullable(id).meta({ title: '红头模板' }),
  reserved_no: nullable(z.int().min(1).max(999_999)).meta({ title: '预留号' }),
  from_org: line(100).meta({ title: '来文单位' }),
  from_number: line(60).meta({ title: '来文字号' }),
  received_date: nullable(day).meta({ title: '收文日期' }),
  from_copies: nullable(z.int().min(1).max(9999)).meta({ title: '份数' }),
  due_at: nullable(localMoment).meta({ title: '办理时限' }),
  level: Level.meta({ title: '紧急程度' }),
  secret_level: z.int().min(0).max(3).meta({ title: '密级' }),
  secret_period: line(10).meta({ title: '保密期限' }),
  copy_no: z
    .string()
    .regex(/^(\d{6})?$/, '请输入 6 位数字')
    .meta({ title: '份号' }),
  publicity: nullable(z.int().min(1).max(3)).meta({ title: '公开属性' }),
  publicity_reason: line(200).meta({ title: '不公开理由' }),
  issue_org: line(100).meta({ title: '发文机关' }),
  joint_orgs: z
    .array(name(100))
    .transform((all) => [...new Set(all.flatMap(apart))])
    .refine((all) => all.length <= 20, '最多 20 个')
    .meta({ title: '联合发文机关' }),
  joint_issuers: z.array(name(20)).max(20).meta({ title: '联合机关签发人' }),
  main_send: parties.meta({ title: '主送' }),
  copy_send: parties.meta({ title: '抄送' }),
  leader_assigned: z.boolean().meta({ title: '领导交办' }),
  issuer: nullable(name(50)).meta({ title: '签发人' }),
  /** Formatted text; the server keeps the result of `cleanHtml`. At most 100,000 visible characters. */
  body_html: z
    .string()
    .max(longestHtml, '正文过长，请把长表格放进附件')
    .refine((html) => marksIn(html) <= mostMarks, '正文的段落、表格过多，请把长表格放进附件')
    .meta({ title: '正文' }),
  body_file: nullable(id).meta({ title: '正文文件' }),
  attachments: files.meta({ title: '附件' }),
  annotation: line(200).meta({ title: '附注' }),
  contact_name: personLine(20).meta({ title: '联系人' }),
  contact_phone: telephone(20).meta({ title: '联系电话' }),
  reply_to_id: nullable(id).meta({ title: '答复的公文' }),
};
export const WrittenFields = z.object(written);
/** Fields filled in during handling, by the person who has the document. */
const handled = {
  written_date: nullable(day).meta({ title: '成文日期' }),
  print_org: line(100).meta({ title: '印发机关' }),
  print_date: nullable(day).meta({ title: '印发日期' }),
  print_copies: nullable(z.int().min(1).max(9999)).meta({ title: '印发份数' }),
  lead_dept: nullable(id).meta({ title: '主办部门' }),
  co_depts: z.array(id).max(30).meta({ title: '协办部门' }),
  propose_opinion: text(2000).meta({ title: '拟办意见' }),
  leader_opinion: text(2000).meta({ title: '领导批示' }),
  handle_result: text(5000).meta({ title: '办理结果' }),
};
export const handledKeys = Object.keys(handled);
const fields = z.object({ ...written, ...handled });
export const DocumentFields = fields.partial().required({ title: true });
export type DocumentFields = Partial<z.output<typeof fields>>;
const ofComing = ['from_org', 'from_number', 'received_date', 'from_copies'] as const;
const ofGoing = [
  'number_rule_id',
  'reserved_no',
  'redhead_id',
  'issue_org',
  'joint_orgs',
  'joint_issuers',
  'leader_assigned',
  'issuer',
  'print_org',
  'print_date',
  'print_copies',
] as const;
/** Opinions given on paper, entered by the person who has the document; its author cannot enter them in advance. */
export const noted = ['propose_opinion', 'leader_opinion', 'handle_result'] as const;
/** Fields that a kind of document does not have. */
export const foreignTo = (kind: number): readonly (keyof DocumentFields)[] =>
  kind === docKind.receiving ? ofGoing : kind === docKind.sending ? [...ofComing, ...noted] : ofComing;
/** The title of each field. */
export const fieldTitles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(fields.shape).map(([key, schema]) => [key, schema.meta()?.title ?? key]),
);

const NamedDept = z.object({ id: int, name: z.string() });
/** A document in a list. */
export const DocumentRow = z.object(
  titledAs(fields.shape, {
    id: int,
    ...approvalShape,
    title: z.string(),
    doc_kind: int,
    doc_kind_name: z.string().meta(field('公文类型')),
    category_id: int.nullable(),
    category_name: z.string().meta(field('类别')),
    doc_type: int,
    doc_type_name: z.string().meta(field('文种')),
    doc_number: z.string().meta(field('发文字号')),
    receipt_no: z.string().meta(field('收文编号')),
    from_org: z.string(),
    from_number: z.string(),
    level: int,
    level_name: z.string().meta(field('紧急程度')),
    secret_level: int,
    secret_level_name: z.string().meta(field('密级')),
    dept: int.nullable(),
    dept_name: z.string().meta(field('拟稿部门')),
    creator: z.string(),
    creator_info: PersonInfo,
    written_date: day.nullable(),
    received_date: day.nullable(),
    submitted_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    due_at: timestamp.nullable().meta(field('办理时限')),
    /** 0 none, 1 in time, 2 soon, 3 late. */
    light: int,
    /** True for a finished request without an answer. */
    unanswered: z.boolean(),
    collected: z.boolean(),
    gmt_created: timestamp.meta(field('创建时间')),
    version: int,
    /** False if the reader only received it; then its workflow, state and handling are hidden. */
    inside: z.boolean(),
  }),
);
export type DocumentRow = z.output<typeof DocumentRow>;

/** Another document in a chain of requests and answers. */
const Answering = z.object({
  id: int,
  title: z.string(),
  doc_type_name: z.string(),
  number: z.string(),
  /** True if the reader may open it; the author of a request sees every answer listed. */
  opens: z.boolean(),
});
export type Answering = z.output<typeof Answering>;

export const DocumentDetail = DocumentRow.extend(
  titledAs(fields.shape, {
    direction: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    summary: z.string(),
    keywords: z.string(),
    number_rule_id: int.nullable(),
    redhead_id: int.nullable(),
    reserved_no: int.nullable(),
    from_copies: int.nullable(),
    secret_period: z.string(),
    copy_no: z.string(),
    publicity: int.nullable(),
    publicity_reason: z.string(),
    issue_org: z.string(),
    joint_orgs: z.array(z.string()),
    joint_issuers: z.array(z.string()),
    main_send: z.array(Party),
    copy_send: z.array(Party),
    leader_assigned: z.boolean(),
    issuer: z.string().nullable(),
    issuer_info: PersonInfo.nullable().meta(field('签发人')),
    sign_date: day.nullable().meta(field('签发日期')),
    body_html: z.string(),
    body_file: FileCard.nullable(),
    attachments: z.array(FileCard),
    /** The 附件说明 below the body: `附件：1.…`. */
    attachment_note: z.string(),
    annotation: z.string(),
    contact_name: z.string(),
    contact_phone: z.string(),
    print_org: z.string(),
    print_date: day.nullable(),
    print_copies: int.nullable(),
    /** The 版记 as it would be printed now; null unless the document has its number and is not printed yet. */
    colophon: z.object({ print_org: z.string(), print_date: day.nullable() }).nullable(),
    lead_dept: int.nullable(),
    lead_dept_name: z.string().meta(field('主办部门')),
    co_depts: z.array(int),
    co_depts_info: z.array(NamedDept).meta(field('协办部门')),
    propose_opinion: z.string(),
    leader_opinion: z.string(),
    handle_result: z.string(),
    /** The opinions on the sheet: those entered by hand, then a line for each person asked; `逾期未回复` if the time ran out. */
    opinions: z.object({ propose: z.string(), decide: z.string(), carry: z.string(), countersign: z.string() }),
    reply_to_id: int.nullable(),
    /** An answer to a request by other means than a letter. */
    answer_note: z.string().meta(field('答复情况')),
    /** Its answers, as far as the reader sees them: the last fifty. */
    replies: z.array(Answering),
    more_replies: z.boolean(),
    /** The document it answers, if the reader sees it. */
    reply_to_info: z.object({ id: int, title: z.string(), number: z.string() }).nullable().meta(field('答复的公文')),
    body_sha256: z.string().nullable(),
    /** The changes since the signature; null if there are none. */
    revision: Revision.nullable(),
    archive: Archive.nullable(),
    /** The finished document; null until it has its number. */
    final_file: FileCard.nullable(),
    /** Unusual points that are allowed. */
    warnings: z.array(z.string()),
    actions,
  }),
);
export type DocumentDetail = z.output<typeof DocumentDetail>;
