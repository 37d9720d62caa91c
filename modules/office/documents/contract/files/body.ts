import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { id } from '#kernel/contract/shapes.ts';

/** Kinds of file that may be the body of a document. */
export const bodyKinds = ['docx', 'doc', 'wps', 'pdf', 'ofd'] as const;
/** The way in which a body file is set in the finished document. */
export const bodyWay = codeSet({
  text: [1, '按公文格式重新排版，不保留原来的字体、字号、颜色和分页'],
  pages: [2, '保留原来的页面，排在红头页和版记页之间'],
  apart: [3, '不能合入成品：红头页写明正文文件的名称和校验值，正文文件随成品一起保存'],
});

const int = z.number().int();

export const documentBodies = {
  read: call({
    method: 'POST',
    path: '/api/document/body/',
    access: signedIn,
    summary: '查看正文文件将怎样排版',
    body: z.object({ file: id.meta({ title: '正文文件' }) }),
    reply: z.object({
      value: z.object({
        way: z.union([z.literal(1), z.literal(2), z.literal(3)]),
        way_name: z.string(),
        characters: int,
        pages: int.nullable(),
        /** Parts of the file that the finished document leaves out; empty if there are none. */
        losses: z.array(z.string()),
      }),
    }),
    quiet: true,
  }),
};
