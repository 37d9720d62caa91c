import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { asc, eq } from 'drizzle-orm';
import type { Call } from '#kernel/contract/call.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import type { Services } from '#kernel/server/services.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { nobody } from '#modules/platform/people/contract/audience.ts';
import { audienceShown, checkAudience, namesIn } from '#modules/platform/people/service/audience.ts';
import {
  expiredAlready,
  appNameTaken,
  beyondWorkflows,
  notGrantable,
  notYourToken,
  onlySuperLends,
  pushesEvents,
  tokens,
  unknownWorkflow,
} from './contract.ts';
import { apiOf, isGrantable, keepsToWorkflows } from './identity.ts';
import { appTokenTable } from './tables.ts';

const keyBytes = 32;

function refuseUngrantable({ product }: Services, apis: readonly string[] = []): void {
  const known = new Set(product.calls().filter(isGrantable).map(apiOf));
  const wrong = apis.find((api) => !known.has(api));
  if (wrong !== undefined) throw notGrantable(wrong);
}

const plain = nounHandlers(tokens, {
  table: appTokenTable,
  noun: '应用令牌',
  title: (row) => row.app_name,
  search: [appTokenTable.app_name],
  order: { descending: true },
  async shows(rows, { tx }) {
    const people = await peopleById(
      tx,
      rows.map((row) => row.creator_id),
    );
    const begins = new Map<number, Awaited<ReturnType<typeof audienceShown>>>();
    for (const row of rows) begins.set(row.id, await audienceShown(tx, row.begins_for));
    return ({ id, creator_id: creator }) => ({
      creator,
      creator_name: people.get(creator)?.alias ?? '',
      begins_for: begins.get(id)!,
    });
  },
  /** A wider token reaches further with its creator's rights, so nobody widens another's. */
  refuses: (row, user, code) =>
    code === 'Update' && !user.superAdmin && row.creator_id !== user.id ? notYourToken() : null,
  async check({ tx, user, now, services }, { row, before, sent }) {
    if (!before && sent.expire_at && sent.expire_at < dayOf(now)) throw expiredAlready(sent.expire_at);
    refuseUngrantable(services, sent.apis);
    const begins_for = namesIn(sent.begins_for ?? nobody);
    if (sent.begins_for) {
      if (!user.superAdmin && !isDeepStrictEqual(begins_for, before?.begins_for ?? [])) throw onlySuperLends();
      await checkAudience(tx, sent.begins_for);
    }
    const events = apiOf(services.product.keeping.events);
    if (row.push_url && !row.apis.includes(events)) throw pushesEvents(events);
    await refuseBeyond(tx, row.apis, row.workflow_ids ?? []);
    return {
      ...(sent.begins_for ? { begins_for } : {}),
      ...(sent.workflow_ids ? { workflow_ids: [...new Set(sent.workflow_ids)] } : {}),
      // A token is valid until the end of its last day.
      ...(sent.expire_at ? { expire_at: `${sent.expire_at} 23:59:59` } : {}),
    };
  },
  facts: ({ begins_for }) => ({
    可代为发起: begins_for.includes('a0')
      ? '全体人员'
      : begins_for.length > 0
        ? `${begins_for.length} 项人员或部门`
        : '无',
  }),
  unique: { app_token_name_unique: (row) => appNameTaken(row.app_name) },
});

export const tokensModule = implement('tokens', tokens, {
  ...plain,

  async add({ body, ...asked }, context) {
    const key = randomBytes(keyBytes).toString('base64url');
    const sealed = { ...body, key: context.services.secretBox.seal(key) };
    return { ...(await plain.add({ ...asked, body: sealed }, context)), key };
  },

  grantableApis: (_input, { services }) =>
    services.product
      .calls()
      .filter(isGrantable)
      .map((call) => ({ api: apiOf(call), summary: call.summary })),

  async grantableWorkflows(_input, { tx }) {
    const names = await tx.services.product.keeping.names(tx, null);
    return [...names].map(([id, name]) => ({ id, name }));
  },

  simpleTokens: (_input, { tx }) =>
    tx
      .select({ id: appTokenTable.id, app_name: appTokenTable.app_name })
      .from(appTokenTable)
      .where(eq(appTokenTable.status, true))
      .orderBy(asc(appTokenTable.app_name)),
});

/** A token limited to workflows is granted only calls that support the limit, and only existing workflows. */
async function refuseBeyond(tx: Db, apis: readonly string[], workflowIds: readonly number[]): Promise<void> {
  if (workflowIds.length === 0) return;
  const known = await tx.services.product.keeping.names(tx, workflowIds);
  const missing = workflowIds.find((id) => !known.has(id));
  if (missing !== undefined) throw unknownWorkflow(missing);
  const beyond = apis.find((api) => {
    const [method = '', path = ''] = api.split(' ');
    return !keepsToWorkflows({ method: method as Call['method'], path });
  });
  if (beyond !== undefined) throw beyondWorkflows(beyond);
}
