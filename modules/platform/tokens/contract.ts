import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { addressRange, dayOr, flag, id, name, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { Audience, AudienceShown } from '#modules/platform/people/contract/audience.ts';

export const appNameTaken = refusal(codes.refused, (taken: string) => `已有名为“${taken}”的应用，请换一个名称`);
export const expiredAlready = refusal(
  codes.refused,
  (day: string) => `有效期至 ${day} 已经过去，请选择今天或以后的日期，或不填`,
);
export const notYourToken = refusal(codes.forbidden, () => '应用令牌以创建人的权限工作，只能由创建人或超级管理员修改');
export const unknownWorkflow = refusal(codes.refused, (one: number) => `流程 ${one} 不存在，请重新选择`);
export const beyondWorkflows = refusal(
  codes.refused,
  (api: string) => `限定流程的应用只能调用工单、流程和附件接口，“${api}”不能授予，请取消该接口或不限定流程`,
);
export const notGrantable = refusal(codes.refused, (api: string) => `接口“${api}”不能授予应用，请重新选择`);

export const onlySuperLends = refusal(
  codes.forbidden,
  () => '“可代为发起”让应用以他人名义发起工单，只能由超级管理员授予或修改',
);
export const pushesEvents = refusal(
  codes.refused,
  (api: string) => `推送事件的应用须能调用“${api}”，请在可用接口中加上，或不填事件推送地址`,
);

const range = z.string().trim().pipe(addressRange);
const api = z.string().regex(/^(GET|POST|PUT|PATCH|DELETE) \/api\/[\w\-/{}]*$/, '请从列表中选择接口');

const noun = nounCalls({
  prefix: '/api/accounts/app_token/',
  page: 'system/app_token',
  noun: '应用令牌',
  input: {
    app_name: name(50).meta({ title: '应用名称' }),
    apis: z
      .array(api)
      .min(1, '请至少选择一个接口')
      .max(500, '最多 500 个接口')
      .meta(
        field('可用接口', { kind: 'select', multiple: true, help: '应用以您的权限调用这些接口，不能改动账号与权限' }),
      ),
    ip_whitelist: z
      .array(range)
      .max(50, '最多 50 个地址')
      .optional()
      .meta(field('IP 白名单', { help: '不填则不限；可填网段，如 10.0.0.0/8' })),
    workflow_ids: z
      .array(id)
      .max(200, '最多 200 个流程')
      .optional()
      .meta(
        field('限定流程', { kind: 'select', multiple: true, help: '只能发起和查看这些流程的工单，不填则与您相同' }),
      ),
    ticket_sn_prefix: z
      .string()
      .trim()
      .regex(/^[A-Z][A-Z0-9]{0,9}$|^$/, '请输入大写字母开头的字母和数字，最多 10 位')
      .optional()
      .meta(field('工单编号前缀', { help: '加在该应用发起的工单编号之前，如 OA' })),
    begins_for: Audience.optional().meta(
      field('可代为发起', {
        help: '应用可以这些人的名义发起工单（请求中写 begin_for），发起人是本人，记录写明由哪个应用发起；不能代人办理。只能由超级管理员授予',
      }),
    ),
    push_url: z
      .union([z.literal(''), z.url({ protocol: /^https?$/, error: '请填写以 http 或 https 开头的地址' }).max(500)])
      .optional()
      .meta(
        field('事件推送地址', {
          help: '应用看得到的工单事件按顺序送到这里，以本令牌的密钥签名；不填则由应用读取事件流',
        }),
      ),
    rate_limit: z
      .int()
      .min(1, '至少 1 次')
      .max(6000, '最多 6000 次')
      .optional()
      .meta(field('每分钟次数', { help: '超过后该应用须等待，不影响其他人' })),
    expire_at: dayOr('请选择日期')
      .nullable()
      .optional()
      .meta(field('有效期至', { help: '不填则长期有效' })),
    status: flag.optional().meta(field('启用', { kind: 'switch' })),
  },
  row: {
    app_name: z.string(),
    creator: z.number().int(),
    creator_name: z.string().meta({ title: '创建人' }),
    apis: z.array(z.string()),
    ip_whitelist: z.array(z.string()),
    ticket_sn_prefix: z.string(),
    workflow_ids: z.array(z.number().int()),
    begins_for: AudienceShown,
    push_url: z.string(),
    rate_limit: z.number().int(),
    expire_at: timestamp.nullable(),
    status: z.boolean(),
    last_used_at: timestamp.nullable().meta(field('最近使用')),
    gmt_created: timestamp,
  },
  sort: ['gmt_created', 'app_name', 'last_used_at', 'expire_at'],
  edit: 'PATCH',
});

export const tokens = {
  ...noun,
  /** `key` is shown only once. Requests are signed with it: see docs/signing.md. */
  add: call({
    ...noun.add,
    reply: z.object({ id, key: z.string() }),
    message: '应用令牌已新增，密钥只显示这一次',
    shownOnce: true,
  }),
  remove: call({ ...noun.remove, message: '应用令牌已删除，使用它的应用立即失效' }),
  /** Calls that can be granted to an application. */
  grantableApis: call({
    method: 'GET',
    path: '/api/accounts/app_token/apis/',
    access: grant('Retrieve', 'system/app_token'),
    summary: '可授予应用的接口',
    reply: z.array(z.object({ api: z.string(), summary: z.string() })),
  }),
  /** Workflows to which an application can be limited. */
  grantableWorkflows: call({
    method: 'GET',
    path: '/api/accounts/app_token/workflows/',
    access: grant('Retrieve', 'system/app_token'),
    summary: '可限定给应用的流程',
    reply: z.array(z.object({ id, name: z.string() })),
  }),
  simpleTokens: call({
    method: 'GET',
    path: '/api/accounts/simple_app_token/',
    access: grant('Retrieve', 'workflow/list', 'system/app_token'),
    summary: '应用选项',
    reply: z.array(z.object({ id, app_name: z.string() })),
  }),
};
