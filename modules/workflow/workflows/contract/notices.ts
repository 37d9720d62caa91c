import { z } from 'zod';
import { call, grantOverAll, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { done, idParams, line, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';

/** Placeholder of a secret; sent back unchanged it keeps the secret, empty it removes it. */
export const hiddenSecret = '******';
export const noticeTypes = codeSet({
  hook: [1, '网络钩子'],
  wecom: [2, '企业微信'],
  dingtalk: [3, '钉钉'],
  feishu: [7, '飞书'],
  wecom_app: [8, '企业微信应用'],
  ding_app: [9, '钉钉应用'],
  feishu_app: [10, '飞书应用'],
});

/** True for channels that write to each person individually. */
export const isApplication = (type: number): boolean => type >= noticeTypes.wecom_app;

/** The people who may decide from an application's card without signing in. */
export const cardDecisions = { 0: '须先登录', 1: '在本人登录过的设备上可直接办理', 2: '凭卡片可直接办理' } as const;
export type CardDecisions = keyof typeof cardDecisions;

const page = 'workflow/notice';
const int = z.number().int();
const secret = (title: string) =>
  z
    .string()
    .max(500, '最多 500 个字')
    .optional()
    .meta(field(title, { kind: 'password', help: '已保存；留 ****** 即保持不变；清空则删除' }));

/** Channels, other than our own messages, for notices about tickets. */
export const customNotices = nounCalls({
  prefix: '/api/workflows/custom_notices/',
  page,
  whole: true,
  noun: '通知方式',
  input: {
    name: name(50).meta({ title: '名称' }),
    type_id: choice('类型', noticeTypes.names),
    hook_url: z
      .union([z.literal(''), z.url({ protocol: /^https?$/, error: '请填写以 http 或 https 开头的地址' }).max(500)])
      .optional()
      .meta(
        field('回调地址', {
          help: '工单有进展时发送到这个地址；企业微信、钉钉和飞书请填写群机器人的地址；应用不填则为官方接口地址',
        }),
      ),
    hook_token: secret('回调密钥'),
    corpid: line(100).optional().meta({ title: '企业 ID' }),
    agent_id: line(100)
      .optional()
      .meta(
        field('应用编号', { help: '对方平台上的 AgentId。发给每个人自己：系统的用户名须与对方平台的用户 ID 相同' }),
      ),
    corpsecret: secret('企业密钥'),
    appkey: line(100).optional().meta({ title: '应用标识' }),
    appsecret: secret('应用密钥'),
    card_decides: choice('从卡片办理', cardDecisions, {
      help: '卡片转给他人后，“凭卡片”时拿到的人也能以本人名义办理；都只用一次，72 小时内有效，记录写明从卡片办理',
    }).optional(),
    description: line(200).optional().meta({ title: '描述' }),
    status: choice('状态', onOff.names).optional(),
  },
  row: {
    name: z.string(),
    description: z.string(),
    type_id: int,
    type_name: z.string().meta(field('类型')),
    hook_url: z.string(),
    corpid: z.string(),
    appkey: z.string(),
    agent_id: z.string(),
    card_decides: int,
    /** `******` if there is one, else empty. */
    hook_token: z.string(),
    corpsecret: z.string(),
    appsecret: z.string(),
    status: int,
    gmt_modified: timestamp.meta(field('修改时间')),
  },
  sort: ['gmt_modified', 'name', 'type_id'],
  filters: { type_id: z.coerce.number().int().min(1).max(10).optional() },
  edit: 'PATCH',
});
export type NoticeRow = ReplyOf<typeof customNotices.list>['value'][number];

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
  testNotice: call({
    method: 'POST',
    path: '/api/workflows/custom_notices/{id}/test/',
    access: grantOverAll('Update', page),
    summary: '发送测试通知',
    params: idParams,
    reply: done,
    message: '已提交，结果请在“投递日志”中查看',
  }),
};
