import { and, eq, inArray, ne, or } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { noticeTypes, type CardDecisions } from '../contract/notices.ts';
import { customNoticeTable } from '../tables.ts';

/** An external channel that a workflow names for its notices. */
export interface NoticeWay {
  id: number;
  name: string;
  channel: (typeof channelOf)[keyof typeof channelOf];
  url: string;
  /** Sealed; empty if the other side needs none. */
  secret: string;
  /** Set for an application, which writes to each person individually: its id on the platform, and who may decide from its cards. */
  app: { id: string; agent: string; decides: CardDecisions } | null;
}

/** Those of the named notices that are switched on and complete. */
export async function noticeWays(tx: Db, ids: readonly number[]): Promise<NoticeWay[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select()
    .from(customNoticeTable)
    .where(and(inArray(customNoticeTable.id, [...ids]), eq(customNoticeTable.status, onOff.on)));
  return rows.flatMap((row): NoticeWay[] => {
    const channel = channelOf[row.type_id as keyof typeof channelOf] as NoticeWay['channel'] | undefined;
    const house = houses[row.type_id];
    const { id, name, hook_url: url, hook_token: secret } = row;
    if (!channel) return [];
    if (!house) return url === '' ? [] : [{ id, name, channel, url, secret, app: null }];
    const app = { id: house.id(row), agent: row.agent_id, decides: row.card_decides as CardDecisions };
    const own = house.secret(row);
    if (app.id === '' || own === '') return [];
    return [{ id, name, channel, url: (url || house.url).replace(/\/+$/, ''), secret: own, app }];
  });
}

/** Clears the secrets of notices after the sealing key was lost. Returns how many had one. */
export async function forgetNoticeSecrets(tx: Db): Promise<number> {
  const { hook_token, corpsecret, appsecret } = customNoticeTable;
  const { rowCount } = await tx
    .update(customNoticeTable)
    .set({ hook_token: '', corpsecret: '', appsecret: '' })
    .where(or(ne(hook_token, ''), ne(corpsecret, ''), ne(appsecret, '')));
  return rowCount ?? 0;
}

const channelOf = {
  [noticeTypes.hook]: 'hook',
  [noticeTypes.wecom]: 'wecom',
  [noticeTypes.dingtalk]: 'dingtalk',
  [noticeTypes.feishu]: 'feishu',
  [noticeTypes.wecom_app]: 'wecom_app',
  [noticeTypes.ding_app]: 'ding_app',
  [noticeTypes.feishu_app]: 'feishu_app',
} as const;

type Notice = typeof customNoticeTable.$inferSelect;
interface House {
  /** Address of the platform's API, unless an own address is set. */
  url: string;
  id(row: Notice): string;
  /** Sealed. */
  secret(row: Notice): string;
}
const byKey = { id: (row: Notice) => row.appkey, secret: (row: Notice) => row.appsecret };
/** The credentials of each platform's applications. */
const houses: Partial<Record<number, House>> = {
  [noticeTypes.wecom_app]: {
    url: 'https://qyapi.weixin.qq.com',
    id: (row) => row.corpid,
    secret: (row) => row.corpsecret,
  },
  [noticeTypes.ding_app]: { url: 'https://oapi.dingtalk.com', ...byKey },
  [noticeTypes.feishu_app]: { url: 'https://open.feishu.cn', ...byKey },
};
