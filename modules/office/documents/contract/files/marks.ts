import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { flag, id, idParams, timestamp } from '#kernel/contract/shapes.ts';
import { PersonInfo } from '#modules/workflow/tickets/contract/shapes.ts';

export const mayNotMark = refusal(
  codes.notNow,
  () => '公文不在您手中，不能批注；轮到您办理时可以批注，已经写下的批注保持不变',
);
export const paperChanged = refusal(
  codes.stale,
  () => '公文在您打开之后有改动，版面已不同，请刷新后在新的版面上批注；原来的批注保留在原版面上',
);
export const notMarkable = refusal(
  codes.refused,
  (name: string) => `“${name}”不能转成页面，不能手写批注，请把意见写在办理意见里`,
);
export const pageMissing = refusal(codes.refused, (page: number) => `这个版面没有第 ${page} 页，请刷新后重新批注`);
export const tooManyStrokes = refusal(
  codes.refused,
  (most: number) => `您在这个版面上已有 ${most} 笔，不能再添加，请擦去一些或改用办理意见`,
);

/** The limit of strokes per person and paper. */
export const mostStrokes = 3000;
/** The width of the pen in ten-thousandths of the page's width, like the points of a stroke. */
export const penWidth = 26;
export const inks = {
  1: { name: '红', colour: '#d4190b' },
  2: { name: '蓝', colour: '#1149c8' },
  3: { name: '黑', colour: '#161616' },
};
const ink = z.union([z.literal(1), z.literal(2), z.literal(3)]);
export type Ink = z.output<typeof ink>;

const int = z.number().int();
/** Identifies a paper: a digest of everything its pages are made of. */
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, '请刷新后重试')
  .meta({ title: '版面' });

export const NewStroke = z.object({
  page: int.min(1).max(5000).meta({ title: '页' }),
  ink: ink.meta({ title: '颜色' }),
  points: z
    .array(int.min(0).max(32_767))
    .min(2)
    .max(4000)
    .refine((points) => points.length % 2 === 0, '每个点须有两个坐标')
    .meta({ title: '笔迹' }),
});
export type NewStroke = z.output<typeof NewStroke>;
export const Stroke = NewStroke.extend({ id: int, user_id: int, mine: z.boolean() });
export type Stroke = z.output<typeof Stroke>;

/** Pages with handwritten marks. */
export const MarkedPaper = z.object({
  digest: z.string(),
  /** True if the document still looks like this. */
  current: z.boolean(),
  gmt_created: timestamp,
  /** The layer of each person. */
  layers: z.array(z.object({ user_info: PersonInfo, strokes: int, pages: z.array(int), last_at: timestamp })),
});
export type MarkedPaper = z.output<typeof MarkedPaper>;

const marks = '/api/document/{id}/marks/';
/** The handlers check that the user sees the document from inside. */
const asked = { access: signedIn, params: idParams };
const drawing = { ...asked, quiet: true } as const;

export const documentMarks = {
  list: call({
    method: 'GET',
    path: marks,
    ...asked,
    summary: '公文的手写批注',
    reply: z.object({
      /** Marked papers, the newest first. */
      value: z.array(MarkedPaper),
      total: int,
      /** The digest of the present pages. */
      digest: z.string(),
      may_mark: z.boolean(),
    }),
    fresh: true,
  }),
  strokes: call({
    method: 'GET',
    path: `${marks}strokes/`,
    ...asked,
    summary: '一个版面上的批注笔迹',
    query: z.object({ digest }),
    reply: z.object({ value: z.array(Stroke), total: int }),
    fresh: true,
  }),
  pages: call({
    method: 'GET',
    path: `${marks}pdf/`,
    ...asked,
    summary: '手写批注所在的版面',
    query: z.object({ digest, marked: flag.default(false) }),
    reply: fileReply,
    fresh: true,
  }),
  draw: call({
    method: 'POST',
    path: marks,
    ...drawing,
    summary: '手写批注',
    body: z.object({
      digest,
      strokes: z.array(NewStroke).min(1, '请先书写').max(50, '一次最多保存 50 笔').meta({ title: '批注' }),
    }),
    reply: z.object({
      /** The strokes as sent, in order. */
      value: z.array(Stroke),
    }),
  }),
  erase: call({
    method: 'DELETE',
    path: `${marks}{stroke}/`,
    ...drawing,
    summary: '擦去自己的批注',
    params: idParams.extend({ stroke: id }),
    reply: z.object({ id: int }),
  }),
};
