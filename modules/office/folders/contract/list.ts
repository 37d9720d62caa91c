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

/** The state of a draft's approval, and the people it waits for. */
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
  /** Set for a draft that was sent for approval. */
  approval: PaperApproval.nullable(),
  version_no: int,
  keywords: z.string(),
  must_read: z.boolean().meta(field('必读')),
  read_deadline: words,
  top: z.boolean(),
  read_count: int.meta(field('阅读人数')),
  collect_count: int,
  /** The percentage of its audience who have read it, or confirmed it if it must be read; null for people who do not manage it. */
  read_rate: z.number().nullable().meta(field('阅读率')),
  my_read: z.boolean(),
  /** True if I must read it and have not confirmed it. */
  to_confirm: z.boolean(),
  collect_id: maybeInt,
  gmt_created: timestamp,
  gmt_modified: timestamp,
  version: int,
  actions,
});
export type Paper = z.output<typeof Paper>;

/** The list that every window calls for its badge; in a file of its own, so that the rest loads with the pages. */
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
      /** The prefix of the issue number, and its year. */
      fwh: line(60).optional(),
      year: z.coerce.number().int().min(1900).max(2999).optional().meta({ title: '发文年份' }),
      status: z.coerce.number().int().min(0).max(3).optional(),
      must_read: flag.optional(),
      to_confirm: flag.optional().meta({ title: '必读' }),
      collected: flag.optional(),
      /** True for a search that accompanies others: a miss is not recorded. */
      aside: flag.optional(),
      /** Only papers that I manage, with their reading rate. */
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
