import { BlockList, isIP } from 'node:net';
import type { Interfaces } from './contract/interfaces.ts';

export const productVersion = '4.0 Beta';

export interface SiteValue {
  name: string;
  title: string;
  /** Ids of files; the first is shown. */
  logo: number[];
  copyright: string;
  icp: string;
  theme: string;
  watermark: boolean;
  allow_secret: boolean;
  /** A document whose layout has errors is neither submitted nor signed. */
  check_layout: boolean;
  visitor_orders: boolean;
  file_max_mb: number;
  /** All files of a person; 0: no limit. */
  file_quota_mb: number;
  /** All files of the house; 0: no limit. */
  file_site_gb: number;
  home_widgets: string[];
  /** 1 Monday … 7 Sunday. */
  workdays: number[];
  holidays: string[];
  /** When a working day is worked: `08:30–12:00、13:30–18:00`. */
  office_hours: string;
}

export interface LoginValue {
  dengbao: boolean;
  pwd_min: number;
  pwd_classes: number;
  /** 0: never runs out. */
  pwd_expire_days: number;
  pwd_history: number;
  max_fail: number;
  lock_min: number;
  captcha_after: number;
  session_hours: number;
  single_session: boolean;
  phone_login: boolean;
  sso_enabled: boolean;
  sso_only: boolean;
  wechat_enabled: boolean;
  allow_register: boolean;
  ip_whitelist: string[];
  /** Days the operation log is kept at least. */
  log_keep_days: number;
}

export interface SettingValues {
  site: SiteValue;
  login: LoginValue;
  /** Secrets are sealed here. */
  interface: Interfaces;
}

export const defaults: SettingValues = {
  site: {
    name: '工单系统',
    title: '工单系统',
    logo: [],
    copyright: '',
    icp: '',
    theme: '#0099e0',
    watermark: false,
    allow_secret: false,
    check_layout: false,
    visitor_orders: false,
    file_max_mb: 50,
    file_quota_mb: 10_240,
    file_site_gb: 0,
    home_widgets: [],
    workdays: [1, 2, 3, 4, 5],
    holidays: [],
    office_hours: '08:30–12:00、13:30–18:00',
  },
  login: {
    dengbao: false,
    pwd_min: 8,
    pwd_classes: 0,
    pwd_expire_days: 0,
    pwd_history: 5,
    max_fail: 5,
    lock_min: 15,
    captcha_after: 3,
    session_hours: 12,
    single_session: false,
    phone_login: false,
    sso_enabled: false,
    sso_only: false,
    wechat_enabled: false,
    allow_register: false,
    ip_whitelist: [],
    log_keep_days: 180,
  },
  interface: {},
};

/** What 等保 asks for at least: three kinds of characters, 90 days, five failures, ten minutes. Stricter values stay. */
export function strengthened(login: LoginValue): LoginValue {
  if (!login.dengbao) return login;
  return {
    ...login,
    pwd_min: Math.max(login.pwd_min, 8),
    pwd_classes: Math.max(login.pwd_classes, 3),
    pwd_expire_days: login.pwd_expire_days === 0 ? 90 : Math.min(login.pwd_expire_days, 90),
    max_fail: Math.min(login.max_fail, 5),
    lock_min: Math.max(login.lock_min, 10),
  };
}

/** The ways in that are switched on and have what they need. Where only single sign-on is allowed, WeChat is no way. */
export function openWays(login: LoginValue, interfaces: Interfaces): { sso: boolean; wechat: boolean } {
  const sso = interfaces['sso'] ?? {};
  const wechat = interfaces['wechat'] ?? {};
  const needed = {
    cas: ['url'],
    oidc: ['url', 'client_id'],
    oauth2: ['client_id', 'authorize_url', 'token_url', 'userinfo_url', 'claim'],
  }[sso['type'] ?? ''];
  return {
    sso: login.sso_enabled && (needed?.every((field) => sso[field]) ?? false),
    wechat: login.wechat_enabled && !login.sso_only && Boolean(wechat['appid'] && wechat['secret']),
  };
}

/** Whether a list of addresses and networks lets an address in; an empty list lets in everybody. */
export function lets(list: readonly string[], ip: string): boolean {
  if (list.length === 0) return true;
  const allowed = new BlockList();
  for (const entry of list) {
    const [net = '', bits] = entry.split('/');
    const family = isIP(net) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(net, family);
    else allowed.addSubnet(net, Number(bits), family);
  }
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return allowed.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
