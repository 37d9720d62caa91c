import { and, eq, gte, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { Call } from '#kernel/contract/call.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { implement, type Context } from '#kernel/server/http/implement.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { membersOf } from '#modules/platform/people/service.ts';
import { readSettings } from '#modules/platform/settings/service.ts';
import { audit, nothingOld, onlySuper, tooRecent } from './contract.ts';
import { logName, namesInLog } from './log-names.ts';
import { portion, removeLogs, removeOthers, type Removal } from './chain/removal.ts';
import { logTable } from './tables.ts';

const columns = {
  id: logTable.id,
  user_id: logTable.user_id,
  username: logTable.username,
  alias: logTable.alias,
  module: logTable.module,
  action: logTable.action,
  object_type: logTable.object_type,
  object_id: logTable.object_id,
  title: logTable.title,
  method: logTable.method,
  path: logTable.path,
  ip: logTable.ip,
  ua: logTable.ua,
  result: logTable.result,
  ms: logTable.ms,
  diff: logTable.diff,
  trace_id: logTable.trace_id,
  gmt_created: logTable.gmt_created,
  seal: logTable.seal,
  hash: logTable.hash,
};

async function removalBy({ tx, user, origin }: Asked, call: Call, path: string): Promise<Removal> {
  if (!user.superAdmin) throw onlySuper();
  const { log_keep_days: days } = (await readSettings(tx, 'login')).value;
  const { id, username, alias } = user;
  const about = {
    module: 'audit',
    action: call.summary,
    method: call.method,
    path,
    user: { id, username, alias },
    origin,
  };
  return { days, entry: { ...about, result: 0, milliseconds: 0 } };
}

/** Limits the reports of crashing pages by one person. */
const breaks: Limit = { kind: 'page broke', limit: 30, seconds: 3600 };

export const auditModule = implement('audit', audit, {
  async trend(_input, { tx, user }) {
    const where = and(
      ne(logTable.removed, 1),
      await visible(tx, user),
      sql`${logTable.gmt_created} >= current_date - 13`,
    );
    const value = await namedRows<{ day: string; done: number; refused: number }>(
      tx,
      sql`select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(done, 0)::int as done, coalesce(refused, 0)::int as refused
        from generate_series(current_date - 13, current_date, interval '1 day') days (day)
        left join (select gmt_created::date as at, count(*) filter (where result = 0) as done, count(*) filter (where result <> 0) as refused
          from ${logTable} where ${where} group by 1) counted on counted.at = days.day::date
        order by days.day`,
    );
    return { value };
  },

  async broken({ body }, { user, origin, services: { log, attempts } }) {
    const { exceeded, retryAfter } = await attempts.hit(breaks, String(user.id));
    if (exceeded) throw tooMany('报告页面异常', retryAfter);
    log.warn({ reqId: origin.traceId, user: user.id, ...body }, 'a page broke in the browser');
    return { trace_id: origin.traceId };
  },

  modules: async (_input, { services: { product } }) => ({
    value: Object.entries(product.logNames).map(([value, label]) => ({ value, label })),
  }),

  list: async ({ query }, { tx, user, services: { product } }) => {
    const where = and(
      ne(logTable.removed, 1),
      // Cleared rows have times before all others, and are excluded when the oldest are searched.
      sql`${logTable.gmt_created} > 'epoch'`,
      await visible(tx, user),
      query.user ? eq(logTable.username, query.user) : undefined,
      query.module ? inArray(logTable.module, namesInLog(query.module)) : undefined,
      query.action ? eq(logTable.action, query.action) : undefined,
      query.created_from ? gte(logTable.gmt_created, query.created_from) : undefined,
      query.created_to ? sql`${logTable.gmt_created} < ${query.created_to}::date + 1` : undefined,
      query.ip ? eq(logTable.ip, query.ip) : undefined,
      query.result ? (query.result === 'ok' ? eq(logTable.result, 0) : ne(logTable.result, 0)) : undefined,
    );
    const select = (found: SQL | undefined) => tx.select(columns).from(logTable).where(and(where, found)).$dynamic();
    const search = { column: logTable.search, value: query.search_value };
    const page = await searchedPageOf(tx, query, search, select, {
      by: { id: logTable.id, gmt_created: logTable.gmt_created, ms: logTable.ms },
      first: 'id',
      descending: true,
      tie: logTable.id,
      along: { id: sql`true` },
    });
    return {
      ...page,
      value: page.value.map((row) => ({ ...row, module_name: logName(product.logNames, row.module) })),
    };
  },
  async remove({ params: { ids } }, context) {
    const path = `/api/accounts/log/${ids.join(',')}/`.slice(0, 300);
    const removal = await removalBy(context, audit.remove, path);
    const count = await removeLogs(context.tx, removal, inArray(logTable.id, ids));
    if (count !== ids.length) throw tooRecent(removal.days);
    return { count };
  },
  async clear(_input, context) {
    const removal = await removalBy(context, audit.clear, audit.clear.path);
    const count = await removeLogs(context.tx, removal);
    if (count === 0) throw nothingOld(removal.days);
    const more = count === portion;
    if (more) await removeOthers(context.tx, removal);
    return { count, more };
  },
});

type Asked = Pick<Context<typeof audit.clear>, 'tx' | 'user' | 'origin'>;

/** Rows of people within the scope, and the viewer's own. */
export async function visible(
  tx: Db,
  user: Viewer,
  page: 'system/log' | 'system/sign_in' = 'system/log',
): Promise<SQL | undefined> {
  const scope = scopeOf(user, 'Retrieve', page);
  if (scope.all) return undefined;
  const members = await membersOf(tx, [...scope.depts]);
  return inArray(logTable.user_id, [user.id, ...members.map((member) => member.id)]);
}
