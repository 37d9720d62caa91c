import { randomUUID } from 'node:crypto';
import { and, asc, eq, or, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Services } from '#kernel/server/services.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { post } from '#modules/deliveries/service.ts';
import { hiddenSecret, noticeCalls, noticeTypeNames, type NoticeRow } from '../contract/notices.ts';
import { nameTaken, noticeInUse, notTestable, secretAnew } from '../contract/refusals.ts';
import { noticeWays } from '../service.ts';
import { customNoticeTable } from '../tables.ts';

type Notice = typeof customNoticeTable.$inferSelect;
const secrets = ['hook_token', 'corpsecret', 'appsecret'] as const;
type Secrets = { [K in (typeof secrets)[number]]?: string | undefined };

/** New secrets sealed; one that came back hidden or not at all stays. */
const sealed = (sent: Secrets, { secretBox }: Services): Secrets =>
  Object.fromEntries(
    secrets
      .filter((name) => sent[name] !== undefined && sent[name] !== hiddenSecret)
      .map((name) => [name, sent[name] ? secretBox.seal(sent[name]) : '']),
  );

/** Where notices go besides the application; their secrets are sealed on the way in and never leave again. */
export const noticeModule = implement('workflows', noticeCalls, {
  async simpleNotices(_input, { tx }) {
    const rows = await tx
      .select()
      .from(customNoticeTable)
      .where(eq(customNoticeTable.status, 1))
      .orderBy(asc(customNoticeTable.name));
    return {
      value: rows.map(({ id, name, type_id }) => ({ id, name, type_id, type_name: noticeTypeNames[type_id] ?? '' })),
    };
  },

  async notices({ query }, { tx, user }) {
    const words = query.search_value;
    const select = tx
      .select()
      .from(customNoticeTable)
      .where(
        and(
          query.type_id === undefined ? undefined : eq(customNoticeTable.type_id, query.type_id),
          or(contains(customNoticeTable.name, words), contains(customNoticeTable.description, words)),
        ),
      )
      .$dynamic();
    const page = await pageOf(tx, query, select, {
      by: {
        gmt_modified: customNoticeTable.gmt_modified,
        name: customNoticeTable.name,
        type_id: customNoticeTable.type_id,
      },
      first: 'gmt_modified',
      descending: true,
      tie: customNoticeTable.id,
    });
    return { ...page, value: page.value.map((row) => shown(row, user)) };
  },

  async addNotice({ body }, { tx, audit, services }) {
    const [row] = await tx
      .insert(customNoticeTable)
      .values({ ...body, hook_token: '', corpsecret: '', appsecret: '', ...sealed(body, services) })
      .returning()
      .catch(refuseOn('custom_notice_name_unique', () => nameTaken(body.name)));
    audit({ type: '通知方式', id: row!.id, title: row!.name, after: titled(row!) });
    return { id: row!.id };
  },

  async changeNotice({ params, body: { version, ...body } }, { tx, user, audit, services }) {
    const before = await noticeById(tx, params.id);
    checkVersion('通知方式', before, version, shown(before, user));
    const elsewhere = body.hook_url !== undefined && body.hook_url !== before.hook_url;
    if (elsewhere && before.hook_token && (body.hook_token ?? hiddenSecret) === hiddenSecret) throw secretAnew();
    const { hook_token: _token, corpsecret: _corp, appsecret: _app, ...plain } = body;
    const [after] = await tx
      .update(customNoticeTable)
      .set({ ...plain, ...sealed(body, services), version: before.version + 1, gmt_modified: sql`now()` })
      .where(eq(customNoticeTable.id, before.id))
      .returning()
      .catch(refuseOn('custom_notice_name_unique', () => nameTaken(body.name ?? '')));
    const renewed = secrets.filter((name) => before[name] !== after![name]);
    audit({
      type: '通知方式',
      id: before.id,
      title: after!.name,
      before: titled(before),
      after: { ...titled(after!), ...(renewed.length > 0 ? { 密钥: '已更换' } : {}) },
    });
    return { id: before.id };
  },

  async testNotice({ params }, { tx, user, audit }) {
    const { id, name } = await noticeById(tx, params.id);
    const [way] = await noticeWays(tx, [id]);
    if (!way) throw notTestable(name);
    const [title, text] = ['测试通知', `“${name}”可以收到工单系统的通知。`];
    const sealedSecret = way.secret ? { secret: way.secret } : {};
    const said = way.channel === 'hook' ? { payload: { type: 'test', data: { text } } } : { text, path: '/' };
    const body = { ...said, ...sealedSecret };
    const key = `notice:${id}:test:${randomUUID()}`;
    await post(tx, [{ channel: way.channel, target: way.url, title, body, key, userId: user.id }]);
    audit({ type: '通知方式', id, title: `测试 ${name}` });
    return { id };
  },

  async removeNotice({ params }, { tx, audit }) {
    const before = await noticeById(tx, params.id);
    const users = await usersOf(tx, before.id);
    if (users.length > 0) throw noticeInUse(users.join('、'));
    await tx.delete(customNoticeTable).where(eq(customNoticeTable.id, before.id));
    audit({ type: '通知方式', id: before.id, title: before.name, before: titled(before) });
    return { id: before.id };
  },
});

async function noticeById(tx: Db, id: number): Promise<Notice> {
  const [row] = await tx.select().from(customNoticeTable).where(eq(customNoticeTable.id, id)).for('update');
  if (!row) throw absent('该通知方式');
  return row;
}

/** Names of workflows whose draft or published version names it. */
async function usersOf(tx: Db, id: number): Promise<string[]> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select distinct w.name from workflow_version v join workflow w on w.id = v.workflow_id
    where not w.is_deleted and v.status in ('draft', 'published')
      and (v.definition -> 'settings' -> 'notices' @> ${JSON.stringify([id])}::jsonb
        or jsonb_path_exists(v.definition, '$.states[*].participants[*].hook ? (@ == $id)', ${JSON.stringify({ id })}::jsonb))
    order by w.name limit 5`);
  return rows.map((row) => row.name);
}

function shown(row: Notice, user: Viewer): NoticeRow {
  const may = (code: 'Update' | 'Delete') => holds(user, code, 'workflow/notice');
  const hide = (value: string) => (value ? hiddenSecret : '');
  return {
    ...row,
    type_name: noticeTypeNames[row.type_id] ?? '',
    hook_token: hide(row.hook_token),
    corpsecret: hide(row.corpsecret),
    appsecret: hide(row.appsecret),
    gmt_modified: row.gmt_modified.slice(0, 19),
    actions: [...(may('Update') ? ['update', 'test'] : []), ...(may('Delete') ? ['delete'] : [])],
  };
}

const titled = (row: Notice) => ({
  名称: row.name,
  描述: row.description,
  类型: noticeTypeNames[row.type_id] ?? '',
  回调地址: row.hook_url,
  企业ID: row.corpid,
  应用标识: row.appkey,
  状态: row.status === 1 ? '启用' : '停用',
});
