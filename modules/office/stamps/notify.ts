import type { Db } from '#kernel/server/db/db.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, hearersIn, type Hearer, type Said } from '#modules/platform/messages/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { sees } from './seals/visibility.ts';

/** The page on which custody events are signed. */
export const signPath = '/stamp/custody';
export const alertPath = '/stamp/statistics?tab=alert';
export const stampModule = 'stamp_seals';

const applicationPath = (id: number) => `/stamp/detail/${id}`;
/** The news about applications. */
export const stampNews = newsKinds({
  module: 'stamps',
  type: newsType.stamp,
  group: '印章',
  page: applicationPath,
  kinds: {
    STAMP_READY: { name: '用印申请已通过、待我用印', head: '可以用印' },
    STAMP_SLOT: { name: '今天预约了用印', head: '今天用印' },
    STAMP_CONFIRM: { name: '请我监印确认', head: '请监印确认', level: newsLevel.important },
    STAMP_DONE: { name: '我的文件已用印', head: '已用印' },
    STAMP_REFUSED: { name: '保管人拒绝用印', head: '拒绝用印', level: newsLevel.important },
    STAMP_CANCELLED: { name: '发起人不再用印', head: '不再用印' },
    STAMP_EXPIRED: { name: '用印申请过期失效', head: '用印申请已失效' },
    STAMP_OUT: { name: '印章交出外带', head: '印章已交出' },
    STAMP_EXTEND: { name: '外带延期的申请和决定', head: '外带延期' },
    STAMP_OUT_LATE: {
      name: '外带的印章逾期未还',
      head: '印章逾期未还',
      ways: ['sms', 'push'],
      again: 'never',
      level: newsLevel.important,
    },
    STAMP_COPY: { name: '待交存用印扫描件', head: '待交存扫描件' },
    STAMP_BACK: { name: '已用印的文本收回', head: '已收回', ways: [] },
    STAMP_COPY_IN: { name: '用印扫描件已交存', head: '扫描件已交存', ways: [] },
  },
});

/** The news about seals; those that ask for a signature lead to the page for signing. */
export const sealNews = newsKinds({
  module: stampModule,
  type: newsType.stamp,
  group: '印章',
  page: () => signPath,
  topic: 'stamp',
  kinds: {
    STAMP_CUSTODY: { name: '印章交接、代管和保管事项', head: '保管事项' },
    STAMP_LOST: { name: '印章挂失', head: '印章挂失', level: newsLevel.urgent, ways: ['sms', 'push'] },
    STAMP_ALERT: { name: '用印异常', head: '用印异常', page: () => alertPath },
  },
});

/** Links news about a seal to the application that it concerns. */
export const ofApplication = ({ id }: { id: number }) => ({ module: 'stamps', page: applicationPath(id) });

/** Announces news about a seal, linked to its page for those who may open it, else to their signatures. */
export async function announceOnSeal(
  tx: Db,
  kind: (typeof sealNews)['STAMP_CUSTODY' | 'STAMP_LOST'],
  stampId: number,
  { id, ...said }: Said & { id: number },
  to: readonly Hearer[],
): Promise<void> {
  const [seeing, others]: [number[], number[]] = [[], []];
  for (const one of await hearersIn(tx, to)) {
    const person = await personWithRights(tx, one);
    (person && (await sees(tx, viewerOf(person, 0), stampId)) ? seeing : others).push(one);
  }
  await announce(tx, kind, { id }, { ...said, page: `/stamp/list/detail/${stampId}` }, seeing);
  await announce(tx, kind, { id }, said, others);
}

/** The overseers of a seal: heads of its department and the auditors of seals; with `office`, also the managers of seals. */
export const overseersOf = (deptId: number, office = false): Hearer[] => [
  { dept: deptId, part: 'head' },
  { role: 'seal_auditor' },
  ...(office ? [{ role: 'office_admin' }] : []),
];
