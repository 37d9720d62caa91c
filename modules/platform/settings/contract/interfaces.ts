import { z } from 'zod';
import { field } from '#kernel/contract/titles.ts';
import { line, version } from '#kernel/contract/shapes.ts';

/** Placeholder of a secret; sent back unchanged it keeps the secret, empty it removes it. */
export const hiddenSecret = '******';

interface Field {
  title: string;
  /** Like an address, it determines to whom the group's secrets are sent. */
  leads?: true;
  kind?: 'secret' | 'url' | 'port' | 'choice';
  choices?: readonly string[];
  /** Names of choices, if they are this field's own. */
  named?: Record<string, string>;
}
export interface InterfaceGroup {
  title: string;
  /** Its purpose; groups of one kind are shown together. */
  kind: string;
  /** Instructions for whoever configures it. */
  help?: string;
  fields: Record<string, Field>;
}

const smsChannel = (title: string): InterfaceGroup => ({
  title,
  kind: '通知',
  fields: {
    provider: { title: '服务商', leads: true, kind: 'choice', choices: ['', 'aliyun', 'tencent'] },
    url: { title: '接口地址', kind: 'url' },
    key: { title: 'AccessKey', kind: 'secret' },
    secret: { title: '密钥', kind: 'secret' },
    sign: { title: '短信签名' },
    app: { title: '应用 ID（腾讯云）' },
    template: { title: '通用模板编号' },
  },
});

/** Every connection to another system, with the names people see. */
export const interfaceGroups: Record<string, InterfaceGroup> = {
  sms: smsChannel('短信'),
  sms_backup: smsChannel('备用短信'),
  mail: {
    title: '邮件',
    kind: '通知',
    fields: {
      host: { title: '服务器', leads: true },
      port: { title: '端口', kind: 'port', leads: true },
      user: { title: '账号' },
      password: { title: '密码', kind: 'secret' },
      from: { title: '发件人' },
    },
  },
  sso: {
    title: '单点登录',
    kind: '登录',
    help: '在对方登记的回调地址为“系统对外地址/auth-redirect”，对外地址由 PUBLIC_URL 设置；服务在内网时，其地址须加入 OUTGOING_ALLOW。工号所在字段不填时，OIDC 取 sub，CAS 取用户名',
    fields: {
      type: { title: '协议', kind: 'choice', choices: ['', 'cas', 'oauth2', 'oidc'] },
      url: { title: '服务地址', kind: 'url' },
      client_id: { title: '客户端 ID' },
      secret: { title: '密钥', kind: 'secret' },
      authorize_url: { title: '授权地址', kind: 'url' },
      token_url: { title: '令牌地址', kind: 'url' },
      userinfo_url: { title: '用户信息地址', kind: 'url' },
      claim: { title: '工号所在字段' },
      match: {
        title: '工号对应',
        kind: 'choice',
        choices: ['', 'employ_no'],
        named: { '': '用户名', employ_no: '工号' },
      },
    },
  },
  wechat: {
    title: '微信登录',
    kind: '登录',
    help: '在微信开放平台登记系统对外地址的域名；两个地址不填时使用微信官方地址',
    fields: {
      appid: { title: '应用 ID' },
      secret: { title: '密钥', kind: 'secret' },
      qr_url: { title: '扫码页地址', kind: 'url' },
      url: { title: '接口地址', kind: 'url' },
    },
  },
  wopi: {
    title: '在线文档',
    kind: '文档与存储',
    help: '支持 WOPI 的在线编辑服务（如 Collabora、Office Online），填浏览器也能打开的地址；服务在内网时，其地址须加入 OUTGOING_ALLOW；须设置 PUBLIC_URL，该服务由此取回文件',
    fields: { url: { title: '服务地址', kind: 'url' } },
  },
};

const url = z.union([z.literal(''), z.url({ protocol: /^https?$/, error: '请填写以 http 或 https 开头的地址' })]);
const port = z
  .string()
  .regex(/^\d{0,5}$/, '请填写端口号')
  .refine((value) => Number(value) <= 65_535, '端口号最大 65535');

function schemaOf(field: Field): z.ZodType<string> {
  switch (field.kind) {
    case 'secret':
      return z.string().max(500, '最多 500 个字');
    case 'url':
      return url;
    case 'port':
      return port;
    case 'choice':
      return z.enum(field.choices as [string, ...string[]], '请从列表中选择');
    default:
      return line(100);
  }
}

/** Values of all groups by group and field; every value is text. */
export const Interfaces = z.record(z.string(), z.record(z.string(), z.string()));
export type Interfaces = z.output<typeof Interfaces>;

const groups = Object.entries(interfaceGroups).map(([key, group]) => [
  key,
  z
    .strictObject(
      Object.fromEntries(
        Object.entries(group.fields).map(([name, field]) => [
          name,
          schemaOf(field)
            .meta({ title: `${group.title}${field.title}` })
            .optional(),
        ]),
      ),
    )
    .optional()
    .meta(field(group.title, { group: group.kind })),
]);
const shape = Object.fromEntries(groups) as Record<
  string,
  z.ZodOptional<z.ZodType<Record<string, string | undefined>>>
>;
/** Missing groups and fields stay as they are; unknown ones are refused. */
export const InterfaceInput = z.strictObject({ ...shape, version });

/** Connections to other systems. */
export const interfaceRules = { key: 'interface', title: '接口设置', shape, defaults: {} as Interfaces };

/** Channels by which codes can be sent: those that are fully configured. */
export function codeWays(interfaces: Interfaces): ('sms' | 'mail')[] {
  const { sms, sms_backup: backup, mail } = interfaces;
  const open = {
    sms: Boolean(sms?.['provider'] || backup?.['provider']),
    mail: Boolean(mail?.['host'] && mail['from']),
  };
  return (['sms', 'mail'] as const).filter((way) => open[way]);
}
