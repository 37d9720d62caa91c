import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { sizeText } from '#kernel/contract/upload.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { superRole } from '#modules/platform/access/service.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce } from '#modules/platform/messages/service.ts';
import type { SiteValue } from '#modules/platform/settings/contract/site.ts';
import { ownQuotaFull, siteQuotaFull } from './contract.ts';
import { alive } from './store/loose.ts';
import { fileUsageTable, uploadTable } from './tables.ts';

/** The row for the total of all files. */
const everybody = 0;
/** Percentages at which people are notified. */
const marks = [95, 80] as const;

/** The most bytes that may be stored; null without a limit. */
export interface Quota {
  own: number | null;
  site: number | null;
}
export const quotaOf = ({ file_quota_mb, file_site_gb }: Pick<SiteValue, 'file_quota_mb' | 'file_site_gb'>): Quota => ({
  own: file_quota_mb === 0 ? null : file_quota_mb * 2 ** 20,
  site: file_site_gb === 0 ? null : file_site_gb * 2 ** 30,
});

/** Bytes used by a person and by everybody, including unfinished uploads. */
export async function usageOf(tx: Db, userId: number, lock = false): Promise<{ own: number; site: number }> {
  const rows = tx
    .select()
    .from(fileUsageTable)
    .where(inArray(fileUsageTable.id, [everybody, userId]))
    .orderBy(asc(fileUsageTable.id));
  const kept = await (lock ? rows.for('update') : rows);
  const [coming] = await tx
    .select({
      site: sql<string>`coalesce(sum(${uploadTable.size}), 0)`,
      own: sql<string>`coalesce(sum(${uploadTable.size}) filter (where ${eq(uploadTable.uploader_id, userId)}), 0)`,
    })
    .from(uploadTable)
    .where(and(isNull(uploadTable.file_id), alive));
  const of = (id: number) => kept.find((row) => row.id === id)?.bytes ?? 0;
  return { own: of(userId) + Number(coming!.own), site: of(everybody) + Number(coming!.site) };
}

/** Refuses if a file of this size would not fit; only a first check, because others may come in between. */
export async function checkQuota(
  tx: Db,
  { userId, size, quota, lock = false }: { userId: number; size: number; quota: Quota; lock?: boolean },
): Promise<{ own: number; site: number }> {
  const used = await usageOf(tx, userId, lock);
  if (quota.own !== null && used.own + size > quota.own)
    throw ownQuotaFull(sizeText(used.own), sizeText(quota.own), sizeText(size));
  if (quota.site !== null && used.site + size > quota.site)
    throw siteQuotaFull(sizeText(used.site), sizeText(quota.site), sizeText(size));
  return used;
}

/** The final check in the transaction that stores the file: serialised until it ends. Notifies the person, or the administrators, at 80 and 95 %. */
export async function takeQuota(tx: Db, asked: { userId: number; size: number; quota: Quota }): Promise<void> {
  const { userId, size, quota } = asked;
  await tx
    .insert(fileUsageTable)
    .values([{ id: everybody }, { id: userId }])
    .onConflictDoNothing();
  const used = await checkQuota(tx, { ...asked, lock: true });
  if (quota.own !== null) await warn(tx, userId, { used: used.own + size, most: quota.own });
  if (quota.site !== null) await warn(tx, everybody, { used: used.site + size, most: quota.site });
}

export const fileNews = newsKinds({
  module: 'files',
  type: newsType.alarm,
  group: '系统',
  page: () => '/user/profile',
  kinds: { FILE_QUOTA: { name: '文件空间将满', head: '文件空间将满', ways: [] } },
});

async function warn(tx: Db, id: number, { used, most }: { used: number; most: number }): Promise<void> {
  const percent = (used / most) * 100;
  const reached = marks.find((mark) => percent >= mark) ?? 0;
  const changed = await tx
    .update(fileUsageTable)
    .set({ told: reached })
    .where(and(eq(fileUsageTable.id, id), sql`${fileUsageTable.told} <> ${reached}`))
    .returning({ before: sql<number>`(select told from file_usage b where b.id = ${id})` });
  // After the higher mark the lower one is not reported.
  if (!changed[0] || changed[0].before > reached || reached === 0) return;
  const own = id !== everybody;
  const figures = `已用 ${sizeText(used)}，上限 ${sizeText(most)}`;
  const said = {
    title: `${own ? '个人' : '全站'}文件空间已用 ${reached}%`,
    content: own
      ? `${figures}。满了以后不能再上传，请删除不再需要的文件，或联系管理员调整上限。`
      : `${figures}。满了以后任何人都不能再上传，请扩充磁盘并在站点设置中调整上限。`,
    occasion: String(reached),
    by: null,
    ...(reached === 95 ? { level: newsLevel.important } : {}),
    ...(own ? {} : { page: '/system/site' }),
  };
  await announce(tx, fileNews.FILE_QUOTA, { id }, said, own ? [id] : [{ role: superRole }]);
}
