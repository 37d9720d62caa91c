import { z } from 'zod';
import { call, everyone } from '#kernel/contract/call.ts';

const Picture = z.object({ id: z.number().int(), url: z.string() });

/** What everybody may know of the site; the first picture of `logo` is shown. */
export const PublicSite = z.object({
  name: z.string(),
  logo: z.array(Picture),
  version: z.string(),
  copyright: z.string(),
  icp: z.string(),
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

export const settings = {
  site: call({
    method: 'GET',
    path: '/api/accounts/settings/site/',
    access: everyone,
    summary: '站点信息',
    reply: z.object({ value: PublicSite }),
  }),
  login: call({
    method: 'GET',
    path: '/api/accounts/settings/login/',
    access: everyone,
    summary: '登录方式',
    reply: z.object({ value: PublicLogin }),
  }),
};
