import { eq, or } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '#kernel/server/db/db.ts';
import type { Interfaces } from '#modules/platform/settings/contract/interfaces.ts';
import { NotVouched, type Ask } from './outside.ts';
import { wechatTable, type WechatIdentity } from '../tables.ts';

const Token = z.object({
  access_token: z.string().min(1),
  openid: z.string().min(1).max(128),
  unionid: z.string().min(1).max(128).optional(),
});
const Userinfo = z.object({ openid: z.string(), unionid: z.string().min(1).max(128).optional() });

interface Connection {
  appid: string;
  secret: string;
  url: string;
  qr_url: string;
}
/** The configured connection; the addresses are WeChat's own unless an own gateway is set. */
export function wechatConnection(interfaces: Interfaces, open: (sealed: string) => string): Connection {
  const { appid = '', secret = '', url = '', qr_url = '' } = interfaces['wechat'] ?? {};
  return {
    appid,
    secret: secret && open(secret),
    url: (url || 'https://api.weixin.qq.com').replace(/\/+$/, ''),
    qr_url: qr_url || 'https://open.weixin.qq.com/connect/qrconnect',
  };
}

/** The page with the QR code; WeChat sends the browser back to `callback`. */
export function qrPage({ appid, qr_url }: Connection, state: string, callback: string): string {
  const url = new URL(qr_url);
  const fields = { appid, redirect_uri: callback, response_type: 'code', scope: 'snsapi_login', state };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  url.hash = 'wechat_redirect';
  return url.href;
}

/** The identity of a code. Throws `Away` and `NotVouched`. */
export async function identityBehind(
  { appid, secret, url }: Connection,
  code: string,
  ask: Ask,
): Promise<WechatIdentity> {
  const asked = { appid, secret, code, grant_type: 'authorization_code' };
  const token = await answerOf(ask, `${url}/sns/oauth2/access_token`, asked, Token);
  const { access_token, openid } = token;
  const person = await answerOf(ask, `${url}/sns/userinfo`, { access_token, openid, lang: 'zh_CN' }, Userinfo);
  if (person.openid !== openid) throw new NotVouched('userinfo is about somebody else');
  return { openid, unionid: person.unionid ?? token.unionid ?? null };
}

async function answerOf<S extends z.ZodType>(ask: Ask, url: string, fields: Record<string, string>, shape: S) {
  const answer = await ask(`${url}?${new URLSearchParams(fields).toString()}`, { redirects: 0 });
  const found = shape.safeParse(parsed(answer.body.toString('utf8')));
  if (!found.success) throw new NotVouched(`WeChat answered ${answer.status} without what was asked for`);
  return found.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The person bound to an identity: by the id common to a company's applications, else by this application's own. */
export async function boundTo(tx: Db, { openid, unionid }: WechatIdentity): Promise<number | null> {
  const rows = await tx
    .select()
    .from(wechatTable)
    .where(or(eq(wechatTable.openid, openid), unionid === null ? undefined : eq(wechatTable.unionid, unionid)));
  const row =
    rows.find((one) => unionid !== null && one.unionid === unionid) ?? rows.find((one) => one.openid === openid);
  return row?.user_id ?? null;
}
