import { randomBytes } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import type { BodyOf, Call } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Services } from '#kernel/server/services.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { peopleById } from '#modules/people/service.ts';
import { workflowNames } from '#modules/workflows/service.ts';
import { appNameTaken, beyondWorkflows, notGrantable, notYourToken, tokens, unknownWorkflow } from './contract.ts';
import { apiOf, isGrantable, keepsToWorkflows } from './identity.ts';
import { appTokenTable } from './tables.ts';

type Token = typeof appTokenTable.$inferSelect;
const keyBytes = 32;

function refuseUngrantable({ product }: Services, apis: readonly string[] = []): void {
  const known = new Set(product.calls().filter(isGrantable).map(apiOf));
  const wrong = apis.find((api) => !known.has(api));
  if (wrong !== undefined) throw notGrantable(wrong);
}

export const tokensModule = implement('tokens', tokens, {
  tokens: async ({ query }, { tx, user }) => {
    const select = tx
      .select()
      .from(appTokenTable)
      .where(contains(appTokenTable.app_name, query.search_value))
      .$dynamic();
    const page = await pageOf(tx, query, select, {
      by: {
        gmt_created: appTokenTable.gmt_created,
        app_name: appTokenTable.app_name,
        last_used_at: appTokenTable.last_used_at,
        expire_at: appTokenTable.expire_at,
      },
      first: 'gmt_created',
      descending: true,
      tie: appTokenTable.id,
    });
    const people = await peopleById(
      tx,
      page.value.map((row) => row.creator_id),
    );
    const value = page.value.map((row) => ({
      ...rowOf(row, user),
      creator_name: people.get(row.creator_id)?.alias ?? '',
    }));
    return { ...page, value };
  },

  addToken: async ({ body }, { tx, user, audit, services }) => {
    refuseUngrantable(services, body.apis);
    await refuseBeyond(tx, body.apis, body.workflow_ids ?? []);
    const key = randomBytes(keyBytes).toString('base64url');
    const [row] = await tx
      .insert(appTokenTable)
      .values({
        ...columnsOf(body),
        app_name: body.app_name,
        apis: body.apis,
        key: services.secretBox.seal(key),
        creator_id: user.id,
      })
      .returning()
      .catch(refuseOn('app_token_name_unique', () => appNameTaken(body.app_name)));
    audit({ type: '应用令牌', id: row!.id, title: body.app_name, after: audited(row!) });
    return { id: row!.id, key };
  },

  changeToken: async ({ params, body }, { tx, user, audit, services }) => {
    const before = await tokenById(tx, params.id);
    checkVersion('应用令牌', before, body.version, rowOf(before, user));
    if (!mayChange(before, user)) throw notYourToken();
    refuseUngrantable(services, body.apis);
    await refuseBeyond(tx, body.apis ?? before.apis, body.workflow_ids ?? before.workflow_ids);
    const [after] = await tx
      .update(appTokenTable)
      .set({ ...columnsOf(body), ...touched(appTokenTable) })
      .where(eq(appTokenTable.id, params.id))
      .returning()
      .catch(refuseOn('app_token_name_unique', () => appNameTaken(body.app_name ?? '')));
    audit({
      type: '应用令牌',
      id: params.id,
      title: after!.app_name,
      before: audited(before),
      after: audited(after!),
    });
    return { id: params.id };
  },

  removeToken: async ({ params }, { tx, audit }) => {
    const before = await tokenById(tx, params.id);
    await tx.delete(appTokenTable).where(eq(appTokenTable.id, params.id));
    audit({ type: '应用令牌', id: params.id, title: before.app_name, before: audited(before) });
    return { id: params.id };
  },

  grantableApis: (_input, { services }) =>
    services.product
      .calls()
      .filter(isGrantable)
      .map((call) => ({ api: apiOf(call), summary: call.summary })),

  simpleTokens: (_input, { tx }) =>
    tx
      .select({ id: appTokenTable.id, app_name: appTokenTable.app_name })
      .from(appTokenTable)
      .where(eq(appTokenTable.status, true))
      .orderBy(asc(appTokenTable.app_name)),
});

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
  return user.superAdmin || row.creator_id === user.id;
}

function rowOf(row: Token, user: Viewer) {
  const may = holds(user, 'Update', 'system/app_token') && mayChange(row, user);
  return {
    id: row.id,
    app_name: row.app_name,
    creator: row.creator_id,
    apis: row.apis,
    ip_whitelist: row.ip_whitelist,
    ticket_sn_prefix: row.ticket_sn_prefix,
    workflow_ids: row.workflow_ids,
    rate_limit: row.rate_limit,
    expire_at: row.expire_at,
    status: row.status,
    last_used_at: row.last_used_at,
    gmt_created: row.gmt_created,
    version: row.version,
    actions: [...(may ? ['update'] : []), ...(holds(user, 'Delete', 'system/app_token') ? ['delete'] : [])],
  };
}

/** A token is good to the end of its last day. */
function columnsOf(body: BodyOf<typeof tokens.changeToken>): Partial<typeof appTokenTable.$inferInsert> {
  return {
    app_name: body.app_name,
    apis: body.apis,
    ip_whitelist: body.ip_whitelist,
    ticket_sn_prefix: body.ticket_sn_prefix,
    workflow_ids: body.workflow_ids && [...new Set(body.workflow_ids)],
    rate_limit: body.rate_limit,
    expire_at: body.expire_at && `${body.expire_at} 23:59:59`,
    status: body.status,
  };
}

function audited(row: Token): Record<string, unknown> {
  return {
    应用名称: row.app_name,
    可用接口: row.apis.join('、'),
    IP白名单: row.ip_whitelist.join('、'),
    工单编号前缀: row.ticket_sn_prefix,
    限定流程: row.workflow_ids.join('、'),
    每分钟次数: row.rate_limit,
    有效期至: row.expire_at,
    启用: row.status,
  };
}
