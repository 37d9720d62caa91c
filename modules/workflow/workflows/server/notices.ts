import { randomUUID } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import type { Services } from '#kernel/server/services.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { hiddenSecret, isApplication, noticeCalls, customNotices, noticeTypes } from '../contract/notices.ts';
import { nameTaken, noticeInUse, notTestable, secretAnew } from '../contract/refusals.ts';
import { decides } from '../definition/powers.ts';
import { noticeWays } from '../service.ts';
import { customNoticeTable } from '../tables.ts';

type Notice = typeof customNoticeTable.$inferSelect;
const secrets = ['hook_token', 'corpsecret', 'appsecret'] as const;
type Secrets = { [K in (typeof secrets)[number]]?: string | undefined };

/** Seals new secrets; one that was sent back hidden or not at all stays. */
const sealed = (sent: Secrets, { secretBox }: Services): Secrets =>
  Object.fromEntries(
    secrets
      .filter((name) => sent[name] !== undefined && sent[name] !== hiddenSecret)
      .map((name) => [name, sent[name] ? secretBox.seal(sent[name]) : '']),
  );

const secretTitles = { hook_token: '回调密钥', corpsecret: '企业密钥', appsecret: '应用密钥' } as const;

/** Credentials that an application of a platform needs and that are missing. */
type Credentials = Partial<Record<'corpid' | 'corpsecret' | 'appkey' | 'appsecret' | 'agent_id', string | undefined>>;
function missingOf(row: Credentials & { type_id: number }) {
  if (!isApplication(row.type_id)) return [];
  const agent = ['agent_id', '应用编号'] as const;
  const own = [['appkey', '应用标识'] as const, ['appsecret', '应用密钥'] as const];
  const needed = {
    [noticeTypes.wecom_app]: [['corpid', '企业 ID'] as const, ['corpsecret', '企业密钥'] as const, agent],
    [noticeTypes.ding_app]: [...own, agent],
    [noticeTypes.feishu_app]: own,
  };
  return needed[row.type_id as keyof typeof needed].filter(([name]) => !row[name]);
}

const hide = (value: string) => (value ? hiddenSecret : '');

/** Channels for notices other than our own messages; their secrets are sealed on input and never returned. */
export const noticeModule = implement(
  'workflows',
  customNotices,
  nounHandlers(customNotices, {
    table: customNoticeTable,
    noun: '通知方式',
    search: [customNoticeTable.name, customNoticeTable.description],
    order: { descending: true },
    shows: () => (row) => ({
      type_name: noticeTypes.label(row.type_id),
      hook_token: hide(row.hook_token),
      corpsecret: hide(row.corpsecret),
      appsecret: hide(row.appsecret),
    }),
    offers: (_row, user) => (holds(user, 'Update', 'workflow/notice') ? ['test'] : []),
    check({ services }, { row, before, sent }) {
      const elsewhere = before && sent.hook_url !== undefined && sent.hook_url !== before.hook_url;
      const kept = secrets.find((name) => before?.[name] && (sent[name] ?? hiddenSecret) === hiddenSecret);
      if (elsewhere && kept) throw secretAnew(kept, secretTitles[kept]);
      const { hook_token = '', corpsecret = '', appsecret = '' } = before ?? {};
      const secret = { hook_token, corpsecret, appsecret, ...sealed(sent, services) };
      const missing = missingOf({ ...row, ...secret });
      if (missing.length > 0)
        throw invalid(missing.map(([field, label]) => ({ field, label, msg: `应用须填写${label}` })));
      return { ...secret, ...(isApplication(row.type_id) ? {} : { card_decides: 0 }) };
    },
    async removing({ tx }, { id }) {
      const users = await usersOf(tx, id);
      if (users.length > 0) throw noticeInUse(users.join('、'));
    },
    unique: { custom_notice_name_unique: (row) => nameTaken(row.name) },
    facts: (row, was) => (was && secrets.some((name) => was[name] !== row[name]) ? { 密钥: '已更换' } : {}),
  }),
);

export const noticeTestModule = implement('workflows', noticeCalls, {
  async simpleNotices(_input, { tx }) {
    const rows = await tx
      .select()
      .from(customNoticeTable)
      .where(eq(customNoticeTable.status, onOff.on))
      .orderBy(asc(customNoticeTable.name));
    return {
      value: rows.map(({ id, name, type_id }) => ({ id, name, type_id, type_name: noticeTypes.label(type_id) })),
    };
  },

  async testNotice({ params }, { tx, user, audit }) {
    const { id, name } = await noticeById(tx, params.id);
    const [way] = await noticeWays(tx, [id]);
    if (!way) throw notTestable(name);
    const [title, text] = ['测试通知', `“${name}”可以收到工单系统的通知。`];
    const sealedSecret = way.secret ? { secret: way.secret } : {};
    const said = way.channel === 'hook' ? { payload: { type: 'test', data: { text } } } : { text, path: '/' };
    const app = way.app && { app: { url: way.url, id: way.app.id, agent: way.app.agent } };
    const body = { ...said, ...sealedSecret, ...app };
    const key = `notice:${id}:test:${randomUUID()}`;
    // An application writes to the person who tests it.
    const target = way.app ? user.username : way.url;
    await post(tx, [{ channel: way.channel, target, title, body, key, userId: user.id }]);
    audit({ type: '通知方式', id, title: `测试 ${name}` });
    return { id };
  },
});

async function noticeById(tx: Db, id: number): Promise<Notice> {
  const [row] = await tx.select().from(customNoticeTable).where(eq(customNoticeTable.id, id)).for('update');
  if (!row) throw absent('该通知方式');
  return row;
}

/** Names of workflows that name it in their draft, or in a version that decides tickets. */
async function usersOf(tx: Db, id: number): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select distinct w.name from workflow_version v join workflow w on w.id = v.workflow_id
    where not w.is_deleted and (v.status = 'draft' or ${decides(tx)})
      and (v.definition -> 'settings' -> 'notices' @> ${JSON.stringify([id])}::jsonb
        or jsonb_path_exists(v.definition, '$.states[*].participants[*].hook ? (@ == $id)', ${JSON.stringify({ id })}::jsonb))
    order by w.name limit 5`);
  return rows.map((row) => row.name);
}
