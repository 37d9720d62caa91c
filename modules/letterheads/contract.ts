import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, idParams, line, name, timestamp, version } from '#kernel/contract/shapes.ts';

export const nameTaken = refusal(codes.refused, (taken: string) => `红头模板“${taken}”已经有了，请换一个名称`);
export const defaultIsOff = refusal(codes.refused, () => '停用的红头模板不能设为默认，请先启用或取消默认');

const page = 'document/setting';
const int = z.number().int();
export const lineStyles = { 1: '单线', 2: '上粗下细双线', 3: '中间带星' } as const;

const LetterheadInput = z.object({
  name: name(30).meta({ title: '名称' }),
  /** `某某大学文件`; empty takes the document's own organisation. */
  org_line: line(60).default('').meta({ title: '发文机关标志' }),
  /** 印发机关 of what bears it; empty takes the office of the issuing organisation. */
  print_org: line(100).default('').meta({ title: '印发机关' }),
  colour: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, '请填写颜色，例如 #e60012')
    .refine((colour) => reddish(colour), '发文机关标志和分隔线应为红色，例如 #e60012')
    .default('#e60012')
    .meta({ title: '颜色' }),
  line_style: z.int().min(1).max(3).default(1).meta({ title: '分隔线' }),
  doc_types: z.array(z.int().min(1).max(99)).max(16).default([]).meta({ title: '适用文种' }),
  is_default: z.boolean().default(false).meta({ title: '默认模板' }),
  status: z
    .union([z.literal(0), z.literal(1)])
    .default(1)
    .meta({ title: '状态' }),
});
function reddish(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16));
  return red >= 0xb0 && green <= red / 3 && blue <= red / 3;
}

export const Letterhead = z.object({
  id: int,
  name: z.string(),
  org_line: z.string(),
  print_org: z.string(),
  colour: z.string(),
  line_style: int,
  doc_types: z.array(int),
  is_default: z.boolean(),
  status: int,
  gmt_modified: timestamp,
  version: int,
  actions,
});
export type Letterhead = z.output<typeof Letterhead>;

export const letterheads = {
  list: call({
    method: 'GET',
    path: '/api/document/redhead/',
    access: signedIn,
    summary: '红头模板',
    reply: z.object({ value: z.array(Letterhead) }),
  }),
  create: call({
    method: 'POST',
    path: '/api/document/redhead/',
    access: grant('Create', page),
    summary: '新增红头模板',
    body: LetterheadInput,
    reply: done,
    message: '已新增',
  }),
  change: call({
    method: 'PUT',
    path: '/api/document/redhead/{id}/',
    access: grant('Update', page),
    summary: '编辑红头模板',
    params: idParams,
    body: LetterheadInput.extend({ version }),
    reply: done,
    message: '已保存',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/document/redhead/{id}/',
    access: grant('Delete', page),
    summary: '删除红头模板',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
};
