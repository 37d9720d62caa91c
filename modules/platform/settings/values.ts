import { BlockList, isIP } from 'node:net';
import type { Interfaces } from './contract/interfaces.ts';
import type { LoginValue } from './contract/login.ts';

export const productVersion = '4.0 Beta';

/**
 * The minimum that 等保 requires: three kinds of characters, 90 days, five failures, ten minutes, twelve hours, a second step for administrators.
 * Stricter values stay.
 */
export function strengthened(login: LoginValue): LoginValue {
  if (!login.dengbao) return login;
  return {
    ...login,
    pwd_min: Math.max(login.pwd_min, 8),
    pwd_classes: Math.max(login.pwd_classes, 3),
    pwd_expire_days: login.pwd_expire_days === 0 ? 90 : Math.min(login.pwd_expire_days, 90),
    max_fail: Math.min(login.max_fail, 5),
    lock_min: Math.max(login.lock_min, 10),
    session_hours: Math.min(login.session_hours, 12),
    second_step: login.second_step === 0 ? 1 : login.second_step,
  };
}

/** The ways that are switched on and configured. WeChat is not among them if only single sign-on is allowed. */
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

/** True if a list of addresses and networks includes an address; an empty list includes all. */
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
