import { z } from 'zod';
import { call, everyone, grant } from '#kernel/contract/call.ts';
import { codes, invalid, refusal, stale } from '#kernel/contract/refusal.ts';
import { addressRange, day, done, id, line, name, version } from '#kernel/contract/shapes.ts';
import { Interfaces, InterfaceInput } from './contract/interfaces.ts';
import { dayParts, dayPartsText } from './contract/office-hours.ts';

export const superOnly = refusal(codes.forbidden, (what: string) => `只有超级管理员可以修改${what}`);
export const lockedOut = refusal(
  codes.refused,
  (ip: string) => `您当前的地址 ${ip} 不在允许登录的地址中，保存后您将无法登录，请先加入该地址`,
);
export const noWayIn = refusal(
  codes.refused,
  () => '单点登录未启用或接口未设置，不能设为唯一登录方式，请先启用并在接口设置中填写',
);

const Picture = z.object({ id: z.number().int(), url: z.string() });
const Weekdays = z.array(z.int().min(1).max(7)).max(7);

/** What everybody may know of the site; the first picture of `logo` is shown, `theme` is the colour of whoever chose none. */
export const PublicSite = z.object({
  name: z.string(),
  logo: z.array(Picture),
  version: z.string(),
  copyright: z.string(),
  icp: z.string(),
  theme: z.string(),
});
const SiteRest = z.object({
  title: z.string(),
  watermark: z.boolean(),
  allow_secret: z.boolean(),
  check_layout: z.boolean(),
  visitor_orders: z.boolean(),
  file_max_mb: z.number().int(),
  file_quota_mb: z.number().int(),
  file_site_gb: z.number().int(),
  home_widgets: z.array(z.string()),
  workdays: z.array(z.number().int()),
  holidays: z.array(z.string()),
  office_hours: z.string(),
});
export const SiteInput = z.object({
  name: name(30).meta({ title: '站点名称' }).optional(),
  title: line(60).meta({ title: '网页标题' }).optional(),
  logo: z.array(id).max(1, '只能有一个标志').meta({ title: '标志' }).optional(),
  copyright: line(100).meta({ title: '版权信息' }).optional(),
  icp: line(50).meta({ title: '备案号' }).optional(),
  theme: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, '请填写颜色，例如 #0099e0')
    .meta({ title: '主题颜色' })
    .optional(),
  watermark: z.boolean().meta({ title: '文件水印' }).optional(),
  allow_secret: z.boolean().meta({ title: '允许涉密标记' }).optional(),
  check_layout: z.boolean().meta({ title: '公文格式从严' }).optional(),
  visitor_orders: z.boolean().meta({ title: '访客报修' }).optional(),
  file_max_mb: z.int().min(1).max(200).meta({ title: '附件上限（MB）' }).optional(),
  /** 0: no limit. */
  file_quota_mb: z.int().min(0).max(10_000_000).meta({ title: '个人文件空间（MB）' }).optional(),
  file_site_gb: z.int().min(0).max(1_000_000).meta({ title: '全站文件空间（GB）' }).optional(),
  home_widgets: z.array(line(50)).max(30).meta({ title: '首页组件' }).optional(),
  workdays: Weekdays.meta({ title: '工作日' }).optional(),
  holidays: z.array(day).max(400).meta({ title: '节假日' }).optional(),
  office_hours: line(100)
    .transform((text, context) => {
      const parts = dayParts(text);
      if (parts) return dayPartsText(parts);
      context.addIssue({
        code: 'custom',
        message: '请按“08:30-12:00、13:30-18:00”填写，最多 4 段，从早到晚、互不重叠',
      });
      return z.NEVER;
    })
    .meta({ title: '办公时间' })
    .optional(),
  version,
});

/** Which ways to sign in are open, and what a new password must be. */
export const PublicLogin = z.object({
  phone_login: z.boolean(),
  sso_enabled: z.boolean(),
  sso_only: z.boolean(),
  wechat_enabled: z.boolean(),
  visitor_orders: z.boolean(),
  pwd_min: z.number().int(),
  pwd_classes: z.number().int(),
});
const LoginRest = z.object({
  pwd_expire_days: z.number().int(),
  pwd_history: z.number().int(),
  max_fail: z.number().int(),
  lock_min: z.number().int(),
  captcha_after: z.number().int(),
  session_hours: z.number().int(),
  single_session: z.boolean(),
  allow_register: z.boolean(),
  dengbao: z.boolean(),
  ip_whitelist: z.array(z.string()),
  log_keep_days: z.number().int(),
});
export const LoginInput = z.object({
  dengbao: z.boolean().meta({ title: '等保模式' }).optional(),
  pwd_min: z.int().min(8).max(32).meta({ title: '密码最短位数' }).optional(),
  pwd_classes: z.int().min(0).max(4).meta({ title: '密码字符种类' }).optional(),
  pwd_expire_days: z.int().min(0).max(365).meta({ title: '密码有效天数' }).optional(),
  pwd_history: z.int().min(0).max(24).meta({ title: '不能与最近几次相同' }).optional(),
  max_fail: z.int().min(3).max(20).meta({ title: '允许失败次数' }).optional(),
  lock_min: z.int().min(1).max(1440).meta({ title: '失败计数分钟数' }).optional(),
  captcha_after: z.int().min(1).max(10).meta({ title: '几次失败后安全校验' }).optional(),
  session_hours: z.int().min(1).max(720).meta({ title: '登录保持小时数' }).optional(),
  single_session: z.boolean().meta({ title: '只允许一处登录' }).optional(),
  phone_login: z.boolean().meta({ title: '手机验证码登录' }).optional(),
  sso_enabled: z.boolean().meta({ title: '单点登录' }).optional(),
  sso_only: z.boolean().meta({ title: '只允许单点登录' }).optional(),
  wechat_enabled: z.boolean().meta({ title: '微信登录' }).optional(),
  allow_register: z.boolean().meta({ title: '首次单点登录建号' }).optional(),
  ip_whitelist: z.array(addressRange).max(100).meta({ title: '允许登录的地址' }).optional(),
  // Half a year is what the law on network security asks for.
  log_keep_days: z.int().min(180, '至少保留 180 天').max(3650).meta({ title: '操作日志保留天数' }).optional(),
  version,
});

const lock = { version: z.number().int() };

/** `version` beside `value` is the number to send back with a change; `value.version` is the product's. */
export const settings = {
  site: call({
    method: 'GET',
    path: '/api/accounts/settings/site/',
    access: everyone,
    summary: '站点信息',
    reply: z.object({ value: PublicSite.extend(SiteRest.partial().shape), ...lock }),
  }),
  saveSite: call({
    method: 'PUT',
    path: '/api/accounts/settings/site/',
    access: grant('Update', 'system/site'),
    summary: '修改站点设置',
    body: SiteInput,
    reply: done,
    message: '站点设置已保存',
    refuses: [stale],
  }),
  login: call({
    method: 'GET',
    path: '/api/accounts/settings/login/',
    access: everyone,
    summary: '登录方式',
    reply: z.object({ value: PublicLogin.extend(LoginRest.partial().shape), ...lock }),
  }),
  saveLogin: call({
    method: 'PUT',
    path: '/api/accounts/settings/login/',
    access: grant('Update', 'system/login'),
    summary: '修改登录设置',
    body: LoginInput,
    reply: done,
    message: '登录设置已保存',
    refuses: [stale, superOnly, lockedOut, noWayIn],
  }),
  interfaces: call({
    method: 'GET',
    path: '/api/accounts/settings/interface/',
    access: grant('Retrieve', 'system/interface'),
    summary: '接口设置',
    reply: z.object({ value: Interfaces, ...lock }),
    fresh: true,
  }),
  saveInterfaces: call({
    method: 'PUT',
    path: '/api/accounts/settings/interface/',
    access: grant('Update', 'system/interface'),
    summary: '修改接口设置',
    body: InterfaceInput,
    reply: done,
    message: '接口设置已保存',
    refuses: [invalid, stale, superOnly],
  }),
};
