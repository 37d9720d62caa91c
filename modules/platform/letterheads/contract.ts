import { z } from 'zod';
import { signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { line, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';

export const nameTaken = refusal(codes.refused, (taken: string) => `红头模板“${taken}”已经有了，请换一个名称`);
export const defaultIsOff = refusal(codes.refused, () => '停用的红头模板不能设为默认，请先启用或取消默认');

const int = z.number().int();
export const lineStyles = { 1: '单线', 2: '上粗下细双线', 3: '中间带星' } as const;

const input = {
  name: name(30).meta({ title: '名称' }),
  /** `某某大学文件`; if empty, the document's own organisation is used. */
  org_line: line(60)
    .default('')
    .meta(field('发文机关标志', { help: '不填则用公文的发文机关加“文件”' })),
  /** 印发机关 of its documents; if empty, the office of the issuing organisation. */
  print_org: line(100)
    .default('')
    .meta(field('印发机关', { help: '版记中的印发机关；不填则用发文机关的办公室' })),
  colour: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, '请填写颜色，例如 #e60012')
    .refine((colour) => reddish(colour), '发文机关标志和分隔线应为红色，例如 #e60012')
    .default('#e60012')
    .meta(field('颜色', { help: '例如 #e60012' })),
  line_style: choice('分隔线', lineStyles).default(1),
  doc_types: z
    .array(z.int().min(1).max(99))
    .max(16)
    .default([])
    .meta(field('适用文种', { kind: 'select', multiple: true, help: '不选则不限' })),
  is_default: z
    .boolean()
    .default(false)
    .meta(field('默认模板', { kind: 'switch', help: '没有更合适的模板时用它' })),
  status: choice('状态', onOff.names).default(1),
};
function reddish(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
  return red >= 0xb0 && green <= red / 3 && blue <= red / 3;
}

/** Letterheads of documents. People who may not read all of them see those in use. */
export const letterheads = nounCalls({
  prefix: '/api/document/redhead/',
  page: 'document/setting',
  whole: true,
  noun: '红头模板',
  input,
  row: {
    name: z.string(),
    org_line: z.string(),
    print_org: z.string(),
    colour: z.string(),
    line_style: int,
    doc_types: z.array(int),
    is_default: z.boolean(),
    status: int,
    gmt_modified: timestamp,
  },
  sort: ['is_default'],
  read: signedIn,
});
export type Letterhead = ReplyOf<typeof letterheads.list>['value'][number];
