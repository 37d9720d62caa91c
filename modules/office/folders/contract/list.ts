import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { actions, flag, id, line, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';

export const paperStatus = codeSet({
  draft: [0, '草稿', 'default'],
  inForce: [1, '现行有效', 'success'],
  revised: [2, '已修订', 'default'],
  repealed: [3, '已废止', 'error'],
});
export const statusName = (status: number) => paperStatus.label(status);
const int = z.number().int();
const maybeInt = int.nullable();
const words = z.string().nullable();

/** Where the approval of a draft stands, and whom it waits for. */
export const PaperApproval = z.object({
  act_state: int,
  act_state_name: z.string(),
  state_name: z.string(),
  waits_for: z.string(),
});
export type PaperApproval = z.output<typeof PaperApproval>;

export const Paper = z.object({
  id: int,
  title: z.string().meta(field('标题')),
  category_id: int,
  category_name: z.string().meta(field('分类')),
  fwh: z.string().meta(field('发文字号')),
  dept: int,
  dept_name: z.string().meta(field('发布部门')),
  publish_date: z.string().meta(field('发布日期')),
  effective_date: words,
  expire_date: words.meta(field('失效日期')),
  status: int.meta(coded('状态', paperStatus.names)),
  /** Of a draft that was sent to be approved. */
  approval: PaperApproval.nullable(),
  version_no: int,
  keywords: z.string(),
  must_read: z.boolean().meta(field('必读')),
  read_deadline: words,
  top: z.boolean(),
  read_count: int.meta(field('阅读人数')),
  collect_count: int,
  /** Percentage of those it is meant for who have read it, confirmed where it must be read; null for whoever does not manage it. */
  read_rate: z.number().nullable().meta(field('阅读率')),
  my_read: z.boolean(),
  /** It must be read by me and I have not confirmed it. */
  to_confirm: z.boolean(),
  collect_id: maybeInt,
  gmt_created: timestamp,
  gmt_modified: timestamp,
  version: int,
  actions,
});
export type Paper = z.output<typeof Paper>;

/** The list every window asks for its badge: it stands by itself, so that the rest comes with the pages. */
export const papers = call({
  method: 'GET',
  path: '/api/folder/papers/',
  access: signedIn,
  summary: '查看制度文件',
  query: listQuery({
    sort: ['publish_date', 'title', 'read_count', 'gmt_modified', 'read_deadline'],
    filters: {
      category: id.optional().meta({ title: '分类' }),
      dept: id.optional().meta({ title: '发布部门' }),
      /** Beginning of the issue number, and its year. */
      fwh: line(60).optional(),
      year: z.coerce.number().int().min(1900).max(2999).optional().meta({ title: '发文年份' }),
      status: z.coerce.number().int().min(0).max(3).optional(),
      must_read: flag.optional(),
      to_confirm: flag.optional(),
      collected: flag.optional(),
      /** Looked for beside other things: that nothing was found is not noted. */
      aside: flag.optional(),
      /** Only what I manage, with its reading rate. */
      managed: flag.optional(),
    },
  }),
  reply: listOf(Paper),
  notesReading: true,
  exports: {
    page: 'folder/papers',
    title: '制度文件',
    columns: sheetColumns(Paper.shape, [
      'title',
      'fwh',
      'category_name',
      'dept_name',
      'publish_date',
      'status',
      'must_read',
      'read_count',
    ]),
  },
});
