import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { actions, done, idParams, line, listOf, listQuery, name, timestamp, version } from '#kernel/contract/shapes.ts';

/** What a secret reads as; sent back unchanged it keeps the secret, empty it removes it. */
export const hiddenSecret = '******';
export const noticeTypes = { hook: 1, wecom: 2, dingtalk: 3, sms: 4, service_account: 5, site: 6, feishu: 7 } as const;
export const noticeTypeNames: Record<number, string> = {
  1: '网络钩子',
  2: '企业微信',
  3: '钉钉',
  4: '短信',
  5: '微信服务号',
  6: '站内消息',
  7: '飞书',
};

const page = 'workflow/notice';
const int = z.number().int();
const secret = (title: string) => z.string().max(500, '最多 500 个字').optional().meta({ title });
const type_id = z.literal(Object.values(noticeTypes), '请选择通知方式').meta({ title: '类型' });

const shape = {
  name: name(50).meta({ title: '名称' }),
  description: line(200).optional().meta({ title: '描述' }),
  type_id,
  hook_url: z
    .union([z.literal(''), z.url({ protocol: /^https?$/, error: '请填写以 http 或 https 开头的地址' }).max(500)])
    .optional()
    .meta({ title: '回调地址' }),
  corpid: line(100).optional().meta({ title: '企业 ID' }),
  appkey: line(100).optional().meta({ title: '应用标识' }),
  hook_token: secret('回调密钥'),
  corpsecret: secret('企业密钥'),
  appsecret: secret('应用密钥'),
  status: z.literal([0, 1]).optional().meta({ title: '状态' }),
};
export const NoticeInput = z.object(shape);
export const NoticeChange = NoticeInput.partial().extend({ version });

export const NoticeRow = z.object({
  id: int,
  name: z.string(),
  description: z.string(),
  type_id: int,
  type_name: z.string(),
  hook_url: z.string(),
  corpid: z.string(),
  appkey: z.string(),
  /** `******` where there is one, else empty. */
  hook_token: z.string(),
  corpsecret: z.string(),
  appsecret: z.string(),
  status: int,
  gmt_modified: timestamp,
  version: int,
  actions,
});
export type NoticeRow = z.output<typeof NoticeRow>;

export const noticeCalls = {
  simpleNotices: call({
    method: 'GET',
    path: '/api/workflows/simple_custom_notices/',
    access: signedIn,
    summary: '通知方式选项',
    reply: z.object({
      value: z.array(z.object({ id: int, name: z.string(), type_id: int, type_name: z.string() })),
    }),
  }),
  notices: call({
    method: 'GET',
    path: '/api/workflows/custom_notices/',
    access: grant('Retrieve', page),
    summary: '查看通知方式',
    query: listQuery({
      sort: ['gmt_modified', 'name', 'type_id'],
      filters: { type_id: z.coerce.number().int().min(1).max(7).optional() },
    }),
    reply: listOf(NoticeRow),
  }),
  addNotice: call({
    method: 'POST',
    path: '/api/workflows/custom_notices/',
    access: grant('Create', page),
    summary: '新增通知方式',
    body: NoticeInput,
    reply: done,
    message: '通知方式已新增',
  }),
  changeNotice: call({
    method: 'PATCH',
    path: '/api/workflows/custom_notices/{id}/',
    access: grant('Update', page),
    summary: '编辑通知方式',
    params: idParams,
    body: NoticeChange,
    reply: done,
    message: '通知方式已保存',
  }),
  testNotice: call({
    method: 'POST',
    path: '/api/workflows/custom_notices/{id}/test/',
    access: grant('Update', page),
    summary: '发送测试通知',
    params: idParams,
    reply: done,
    message: '已提交，结果请在“投递日志”中查看',
  }),
  removeNotice: call({
    method: 'DELETE',
    path: '/api/workflows/custom_notices/{id}/',
    access: grant('Delete', page),
    summary: '删除通知方式',
    params: idParams,
    reply: done,
    message: '通知方式已删除',
  }),
};
