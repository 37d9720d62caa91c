import { houseNow } from '#kernel/server/process/clock.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Call } from '#kernel/contract/call.ts';
import { codes, tooMany } from '#kernel/contract/refusal.ts';
import type { Databases } from '#kernel/server/db/db.ts';
import type { AuditEntry, Origin, SignedRequest } from '#kernel/server/http/implement.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import type { Application, Viewer } from '#kernel/server/access/viewer.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import { remember } from '#modules/platform/audit/service.ts';
import { namedBy } from '#modules/platform/people/service/audience.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { appTokenTable } from './tables.ts';

/** Milliseconds by which the time of a request may differ from the server's. */
const windowMilliseconds = 5 * 60 * 1000;
/** Milliseconds after its time for which a request is remembered: it is forgotten by the database's clock, which may differ. */
const knownMilliseconds = 2 * windowMilliseconds;

/** Anybody who knows an application's number can cause refusals in its name, so their log is limited. */
const strangers: Limit = { kind: 'application-refused', limit: 20, seconds: 3600 };

/** The name of a call in a token. */
export function apiOf(call: Pick<Call, 'method' | 'path'>): string {
  return `${call.method} ${call.path}`;
}

/** An application cannot sign in, change accounts or rights, create a token, or send bytes other than a form's. */
export function isGrantable(call: Call): boolean {
  const writes = call.method !== 'GET' || call.writes === true;
  const asked = call.access.kind === 'session' || call.access.kind === 'grant';
  return asked && call.stream !== 'body' && !(writes && /^\/api\/(accounts|oauth)\//.test(call.path));
}

/** Those of the grantable calls that support a limit to some workflows. */
export function keepsToWorkflows({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return /^\/api\/(tickets|file)\//.test(path) || (method === 'GET' && /^\/api\/workflows\/(\{id\}|$)/.test(path));
}

export function applicationOf(token: typeof appTokenTable.$inferSelect): Application {
  const kept = token.workflow_ids.length > 0;
  return {
    id: token.id,
    name: token.app_name,
    may: (call) => token.apis.includes(apiOf(call)) && isGrantable(call) && (!kept || keepsToWorkflows(call)),
    only: kept ? { workflows: token.workflow_ids } : {},
    numberPrefix: token.ticket_sn_prefix,
    beginsFor: (person) => namedBy(person).some((name) => token.begins_for.includes(name)),
  };
}

/** HMAC-SHA256 over method, path with query, time in milliseconds and SHA-256 of the body, a line each; hexadecimal. */
export function signatureOf(
  key: string,
  { method, url, time, bodyHash }: Pick<SignedRequest, 'method' | 'url' | 'time' | 'bodyHash'>,
): string {
  return createHmac('sha256', key).update([method, url, time, bodyHash].join('\n')).digest('hex');
}

/**
 * The viewer of an application's signed request: its creator with present rights, limited to the granted calls. Null if anything about the signature
 * is wrong; refuses with `tooMany` beyond the token's own rate.
 */
export function createSignedIdentity(
  { fresh, pool, write }: Pick<Databases, 'fresh' | 'pool' | 'write'>,
  box: SecretBox,
  attempts: Attempts,
) {
  const rememberRefused = (
    { call, method, url }: SignedRequest,
    entry: Pick<AuditEntry, 'user' | 'origin' | 'result' | 'changes'>,
  ) => {
    const path = url.split('?')[0]!.slice(0, 300);
    const refused = { module: 'tokens', action: call.summary, method, path, milliseconds: 0, ...entry };
    return write((tx) => remember(tx, refused));
  };
  return async (request: SignedRequest, origin: Origin): Promise<Viewer | null> => {
    if (!/^\d{1,9}$/.test(request.app) || !/^\d{13}$/.test(request.time)) return null;
    if (Math.abs(houseNow().getTime() - Number(request.time)) > windowMilliseconds) return null;
    const [token] = await fresh
      .select()
      .from(appTokenTable)
      .where(
        and(
          eq(appTokenTable.id, Number(request.app)),
          eq(appTokenTable.status, true),
          or(isNull(appTokenTable.expire_at), gt(appTokenTable.expire_at, sql`now()`)),
        ),
      );
    if (!token) return null;
    const turnAway = async (why: string) => {
      const subject = String(token.id);
      if ((await attempts.look(strangers, subject)).count >= strangers.limit) return null;
      if ((await attempts.hit(strangers, subject)).exceeded) return null;
      const changes = [{ type: '应用令牌', id: token.id, title: `应用“${token.app_name}”：${why}` }];
      await rememberRefused(request, { user: null, origin, result: codes.signedOut, changes });
      return null;
    };
    if (!isAmong(token.ip_whitelist, origin.ip)) return turnAway('来源地址不在允许的范围内');
    if (token.key === '') return turnAway('密钥已作废，请重发应用令牌');
    const wanted = signatureOf(box.open(token.key), request);
    if (!isEqual(wanted, request.sign)) return turnAway('签名不正确');
    const { rowCount } = await pool.query(
      `with past as (delete from app_token_use where expires_at < now()),
        used as (update app_token set last_used_at = now() where id = $2
          and (last_used_at is null or last_used_at < now() - interval '1 minute'))
      insert into app_token_use (sign, expires_at) values ($1, to_timestamp($3::float8 / 1000)) on conflict do nothing`,
      [wanted, token.id, Number(request.time) + knownMilliseconds],
    );
    if (rowCount !== 1) return turnAway('重复的请求');
    const person = await personWithRights(fresh, token.creator_id);
    if (!person?.active) return null;
    const tries = await attempts.hit({ kind: 'application', limit: token.rate_limit, seconds: 60 }, String(token.id));
    const viewer = viewerOf(person, -token.id, applicationOf(token));
    if (!tries.exceeded) return viewer;
    // Once for each minute: endless requests must not cause endless log rows.
    if (tries.count === token.rate_limit + 1)
      await rememberRefused(request, { user: viewer, origin, result: codes.tooMany, changes: [] });
    throw tooMany('接口调用', tries.retryAfter);
  };
}

function isEqual(wanted: string, given: string): boolean {
  const [a, b] = [Buffer.from(wanted), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isAmong(ranges: readonly string[], ip: string): boolean {
  // An IPv4 address from an IPv6 socket is treated as IPv4.
  const address = ipaddr.process(ip);
  return (
    ranges.length === 0 ||
    ranges.map(rangeOf).some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits))
  );
}

/** Parses what `addressRange` accepts into network and bits. */
function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
