import { randomBytes } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import type { BodyOf, Call } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/people/service.ts';
import { workflowNames } from '#modules/workflows/service.ts';
import { appNameTaken, beyondWorkflows, notGrantable, notYourToken, tokens, unknownWorkflow } from './contract.ts';
import { apiOf, isGrantable, keepsToWorkflows } from './identity.ts';
import { appTokenTable } from './tables.ts';

type Token = typeof appTokenTable.$inferSelect;
const keyBytes = 32;

/** `allCalls` is asked when a request comes, once all modules are there. */
export function tokensModule(box: SecretBox, allCalls: () => readonly Call[]) {
  const refuseUngrantable = (apis: readonly string[] = []) => {
    const known = new Set(allCalls().filter(isGrantable).map(apiOf));
    const wrong = apis.find((api) => !known.has(api));
    if (wrong !== undefined) throw notGrantable(wrong);
  };

  return implement('tokens', tokens, {
    tokens: async ({ query }, { tx, user }) => {
      const wanted = `%${query.search_value.replace(/[\\%_]/g, '\\$&')}%`;
      const select = tx
        .select()
        .from(appTokenTable)
        .where(sql`${appTokenTable.name} ilike ${wanted}`)
        .$dynamic();
      const page = await pageOf(tx, query, select, {
        by: {
          gmt_created: appTokenTable.created,
          app_name: appTokenTable.name,
          last_used_at: appTokenTable.lastUsed,
          expire_at: appTokenTable.expires,
        },
        first: 'gmt_created',
        descending: true,
        tie: appTokenTable.id,
      });
      const people = await peopleById(
        tx,
        page.value.map((row) => row.creatorId),
      );
      const value = page.value.map((row) => ({
        ...rowOf(row, user),
        creator_name: people.get(row.creatorId)?.alias ?? '',
      }));
      return { ...page, value };
    },

    addToken: async ({ body }, { tx, user, audit }) => {
      refuseUngrantable(body.apis);
      await refuseBeyond(tx, body.apis, body.workflow_ids ?? []);
      const key = randomBytes(keyBytes).toString('base64url');
      const [row] = await tx
        .insert(appTokenTable)
        .values({ ...columnsOf(body), name: body.app_name, apis: body.apis, key: box.seal(key), creatorId: user.id })
        .returning()
        .catch(refuseOn('app_token_name_unique', () => appNameTaken(body.app_name)));
      audit({ type: '应用令牌', id: row!.id, title: body.app_name, after: audited(row!) });
      return { id: row!.id, key };
    },

    changeToken: async ({ params, body }, { tx, user, audit }) => {
      const before = await tokenById(tx, params.id);
      checkVersion('应用令牌', before, body.version, rowOf(before, user));
      if (!mayChange(before, user)) throw notYourToken();
      refuseUngrantable(body.apis);
      await refuseBeyond(tx, body.apis ?? before.apis, body.workflow_ids ?? before.workflowIds);
      const [after] = await tx
        .update(appTokenTable)
        .set({ ...columnsOf(body), ...touched(appTokenTable) })
        .where(eq(appTokenTable.id, params.id))
        .returning()
        .catch(refuseOn('app_token_name_unique', () => appNameTaken(body.app_name ?? '')));
      audit({ type: '应用令牌', id: params.id, title: after!.name, before: audited(before), after: audited(after!) });
      return { id: params.id };
    },

    removeToken: async ({ params }, { tx, audit }) => {
      const before = await tokenById(tx, params.id);
      await tx.delete(appTokenTable).where(eq(appTokenTable.id, params.id));
      audit({ type: '应用令牌', id: params.id, title: before.name, before: audited(before) });
      return { id: params.id };
    },

    grantableApis: () =>
      allCalls()
        .filter(isGrantable)
        .map((call) => ({ api: apiOf(call), summary: call.summary })),

    simpleTokens: (_input, { tx }) =>
      tx
        .select({ id: appTokenTable.id, app_name: appTokenTable.name })
        .from(appTokenTable)
        .where(eq(appTokenTable.active, true))
        .orderBy(asc(appTokenTable.name)),
  });
}

/** A token that is kept to workflows is given only calls that know how to keep to them, and only workflows there are. */
async function refuseBeyond(tx: Db, apis: readonly string[], workflowIds: readonly number[]): Promise<void> {
  if (workflowIds.length === 0) return;
  const known = await workflowNames(tx, workflowIds);
  const missing = workflowIds.find((id) => !known.has(id));
  if (missing !== undefined) throw unknownWorkflow(missing);
  const beyond = apis.find((api) => {
    const [method = '', path = ''] = api.split(' ');
    return !keepsToWorkflows({ method: method as Call['method'], path });
  });
  if (beyond !== undefined) throw beyondWorkflows(beyond);
}

async function tokenById(tx: Db, id: number): Promise<Token> {
  const [row] = await tx.select().from(appTokenTable).where(eq(appTokenTable.id, id)).for('update');
  if (!row) throw absent('该应用令牌');
  return row;
}

/** A wider token reaches further with its creator's rights, so nobody widens another's. */
function mayChange(row: Token, user: Viewer): boolean {
  return user.superAdmin || row.creatorId === user.id;
}

function rowOf(row: Token, user: Viewer) {
  const may = holds(user, 'Update', 'system/app_token') && mayChange(row, user);
  return {
    id: row.id,
    app_name: row.name,
    creator: row.creatorId,
    apis: row.apis,
    ip_whitelist: row.addresses,
    ticket_sn_prefix: row.snPrefix,
    workflow_ids: row.workflowIds,
    rate_limit: row.rate,
    expire_at: row.expires,
    status: row.active,
    last_used_at: row.lastUsed,
    gmt_created: row.created,
    version: row.version,
    actions: [...(may ? ['update'] : []), ...(holds(user, 'Delete', 'system/app_token') ? ['delete'] : [])],
  };
}

/** A token is good to the end of its last day. */
function columnsOf(body: BodyOf<typeof tokens.changeToken>): Partial<typeof appTokenTable.$inferInsert> {
  return {
    name: body.app_name,
    apis: body.apis,
    addresses: body.ip_whitelist,
    snPrefix: body.ticket_sn_prefix,
    workflowIds: body.workflow_ids && [...new Set(body.workflow_ids)],
    rate: body.rate_limit,
    expires: body.expire_at && `${body.expire_at} 23:59:59`,
    active: body.status,
  };
}

function audited(row: Token): Record<string, unknown> {
  return {
    应用名称: row.name,
    可用接口: row.apis.join('、'),
    IP白名单: row.addresses.join('、'),
    工单编号前缀: row.snPrefix,
    限定流程: row.workflowIds.join('、'),
    每分钟次数: row.rate,
    有效期至: row.expires,
    启用: row.active,
  };
}
