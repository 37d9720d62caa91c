import { and, eq, gt, gte, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { deviceName } from '#kernel/contract/words/device.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { failedAct, signInActs, signInFields, signIns, type SignInAct } from './contract/sign-ins.ts';
import { visible } from './server.ts';
import { logTable } from './tables.ts';

const kept = (field: string): SQL<string> =>
  sql<string>`coalesce(jsonb_path_query_first(${logTable.diff}, '$[0].fields[*] ? (@.field == $name).after',
    ${JSON.stringify({ name: field })}::jsonb) #>> '{}', '')`;
const how = kept(signInFields.how);
const both = (act: SignInAct) => [act, failedAct(act)];

/** Successful and refused sign-ins: those rows of the operation log, kept as long as all of it. */
export const signInLog = implement('audit', signIns, {
  async list({ query }, { tx, user }) {
    const where = and(
      ne(logTable.removed, 1),
      gt(logTable.gmt_created, sql`'epoch'`),
      eq(logTable.module, 'accounts'),
      inArray(logTable.action, query.act ? both(query.act) : signInActs.flatMap(both)),
      await visible(tx, user, 'system/sign_in'),
      query.user ? eq(logTable.username, query.user) : undefined,
      query.how ? eq(how, query.how) : undefined,
      query.created_from ? gte(logTable.gmt_created, query.created_from) : undefined,
      query.created_to ? sql`${logTable.gmt_created} < ${query.created_to}::date + 1` : undefined,
      query.ip ? eq(logTable.ip, query.ip) : undefined,
      query.result ? (query.result === 'ok' ? eq(logTable.result, 0) : ne(logTable.result, 0)) : undefined,
    );
    const { id, gmt_created, username, alias, action, title, result, ip, ua } = logTable;
    const columns = { id, gmt_created, username, alias, action, title, result, ip, ua };
    const select = (found: SQL | undefined) =>
      tx
        .select({ ...columns, how, reason: kept(signInFields.reason) })
        .from(logTable)
        .where(and(where, found))
        .$dynamic();
    const search = { column: logTable.search, value: query.search_value };
    const page = await searchedPageOf(tx, query, search, select, {
      by: { id, gmt_created },
      first: 'id',
      descending: true,
      tie: id,
      along: { id: sql`true` },
    });
    return { ...page, value: page.value.map(({ ua: agent, ...row }) => ({ ...row, device: deviceName(agent) })) };
  },
});
