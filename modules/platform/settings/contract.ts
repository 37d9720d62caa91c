import { z } from 'zod';
import { call, everyone, grant, grantOverAll } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { changeAsRead, isFields } from '#kernel/contract/rules.ts';
import { done } from '#kernel/contract/shapes.ts';
import { InterfaceInput, Interfaces } from './contract/interfaces.ts';
import { loginRules } from './contract/login.ts';
import { siteRules } from './contract/site.ts';

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

/** Public settings of the site; the first picture of `logo` is shown, `theme` is the default colour. */
export const PublicSite = z.object({
  name: z.string(),
  logo: z.array(Picture),
  version: z.string(),
  copyright: z.string(),
  icp: z.string(),
  theme: z.string(),
  /** For signed-in people: the date of the backup, if this is a copy that sends nothing. */
  quiet_since: z.string().optional(),
});
const SiteRest = z.object({
  title: z.string(),
  watermark: z.boolean(),
  allow_secret: z.boolean(),
  check_layout: z.boolean(),
  visitor_orders: z.boolean(),
  feed_titles: z.boolean(),
  file_max_mb: z.number().int(),
  file_quota_mb: z.number().int(),
  file_site_gb: z.number().int(),
  workdays: z.array(z.number().int()),
  holidays: z.array(z.string()),
  office_hours: z.string(),
});
/** The open ways to sign in, and the rules for new passwords. */
export const PublicLogin = z.object({
  phone_login: z.boolean(),
  sso_enabled: z.boolean(),
  sso_only: z.boolean(),
  wechat_enabled: z.boolean(),
  visitor_orders: z.boolean(),
  /** The ways to prove one's identity after forgetting the password. */
  forgot_ways: z.array(z.enum(['sms', 'mail'])),
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
  second_step: z.literal([0, 1, 2]),
  allow_register: z.boolean(),
  forgot_password: z.boolean(),
  dengbao: z.boolean(),
  ip_whitelist: z.array(z.string()),
  log_keep_days: z.number().int(),
});
/** Accepts the site as it is read: drops the product's version, which nobody changes, and replaces pictures by their ids. */
function siteAsRead(sent: unknown): unknown {
  if (!isFields(sent) || !isFields(sent['value'])) return sent;
  const { version: _ofTheProduct, logo, ...rest } = sent['value'];
  const ids = Array.isArray(logo) ? logo.map((one: unknown) => (isFields(one) ? one['id'] : one)) : logo;
  return changeAsRead({ ...sent, value: logo === undefined ? rest : { ...rest, logo: ids } });
}
/** Accepts the sign-in settings as they are read: drops those that are changed on the site page or derived from the interfaces. */
function loginAsRead(sent: unknown): unknown {
  if (!isFields(sent) || !isFields(sent['value'])) return sent;
  const { visitor_orders: _ofTheSite, forgot_ways: _follow, ...value } = sent['value'];
  return changeAsRead({ ...sent, value });
}
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
    access: grantOverAll('Update', 'system/site'),
    summary: '修改站点设置',
    body: siteRules.input,
    bodyOf: siteAsRead,
    reply: done,
    message: '站点设置已保存',
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
    body: loginRules.input,
    bodyOf: loginAsRead,
    reply: done,
    message: '登录设置已保存',
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
    bodyOf: changeAsRead,
    reply: done,
    message: '接口设置已保存',
  }),
};
