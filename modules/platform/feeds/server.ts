import { createHash } from 'node:crypto';
import { and, asc, count, eq, sql } from 'drizzle-orm';
import { dayOf, momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { addressOf, type Attempts, type Limit } from '#kernel/server/access/attempts.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, ProtocolReply, staged, type ServerModule, type Wire } from '#kernel/server/http/implement.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { codeRead, newCode } from '#modules/platform/verification/service.ts';
import { calendarText, daysAround } from './calendar.ts';
import { feeds, mostFeeds, notForApplications, remindNames, tooManyFeeds, unknownKinds } from './contract.ts';
import { mostEntries, mostTogether, type FeedEntry, type Feeds } from './service.ts';
import { feedTable } from './tables.ts';

/** Limits requests by address: a code cannot be guessed, but requests cost. Several programs may share one address. */
const asking: Limit = { kind: 'feed', limit: 60, seconds: 60 };
/** Minutes in which repeated reads of the same content are recorded once. */
const readEvery = 60;

interface Services {
  feeds: Feeds;
  attempts: Attempts;
  settings: Pick<Settings, 'get'>;
  publicUrl(): string | null;
}
type FeedRow = typeof feedTable.$inferSelect;
/** An entry with the key of its source. */
type Keyed = FeedEntry & { key: string };

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const plain = (status: number, text: string, headers: Record<string, string> = {}) =>
  new ProtocolReply(status, {
    headers,
    file: { status, type: 'text/plain; charset=utf-8', bytes: Buffer.from(`${text}\n`) },
  });

/** Personal calendar addresses: entries of all modules for calendar programs. */
export function feedsModule({ feeds: sources, attempts, settings, publicUrl }: Services): ServerModule {
  const kinds = Object.entries(sources).map(([key, { name }]) => ({ key, name }));

  /** A person's entries of some sources in a period, each once; cut if there are more than a calendar may hold. */
  async function entriesOf(
    tx: Db,
    viewer: Viewer,
    keys: readonly string[],
    { from, to }: { from: string; to: string },
  ): Promise<{ entries: Keyed[]; isCut: boolean }> {
    const all: Keyed[] = [];
    let isCut = false;
    for (const key of keys) {
      const found = (await sources[key]?.entries(tx, viewer, from, to)) ?? [];
      isCut ||= found.length > mostEntries;
      all.push(...found.slice(0, mostEntries).map((entry) => ({ ...entry, key })));
    }
    const there = new Set(all.map((entry) => `${entry.key}:${entry.id}`));
    const once = all.filter(({ repeats: of }) => !of || !there.has(`${of.key}:${of.id}`));
    return { entries: once.slice(0, mostTogether), isCut: isCut || once.length > mostTogether };
  }

  /** A feed's present content, with its person's present rights; null if there is no such address or no active person. */
  async function read(tx: Db, typed: string, now: Date): Promise<{ feed: FeedRow; text: string } | null> {
    const code = codeRead(typed.replace(/\.ics$/i, ''));
    if (code === null) return null;
    const [feed] = await tx
      .select()
      .from(feedTable)
      .where(eq(feedTable.code_hash, hashOf(code)));
    const person = feed && (await personWithRights(tx, feed.user_id));
    // Somebody who must choose a new password first is shown nothing here, either.
    if (!feed || !person?.active || person.mustChangePassword) return null;
    const viewer = viewerOf(person, 0);
    const { entries, isCut } = await entriesOf(tx, viewer, feed.keys, daysAround(now));
    if (isCut) entries.push(cutNote(entries, dayOf(now)));
    const { name: site, feed_titles } = await settings.get('site');
    const isNamed = feed_titles && feed.titles;
    const shown = entries.map((entry) => ({ ...entry, title: (isNamed && entry.ownTitle) || entry.title }));
    const { remind } = feed;
    return { feed, text: calendarText({ name: `${site} ${feed.name}`, origin: publicUrl(), remind, entries: shown }) };
  }

  return implement('feeds', feeds, {
    async list(_input, { tx, user }) {
      const own = eq(feedTable.user_id, user.id);
      return {
        kinds,
        may_name: (await settings.get('site')).feed_titles,
        value: await tx.select().from(feedTable).where(own).orderBy(asc(feedTable.id)).limit(mostFeeds),
      };
    },

    async mine({ query: { start, end } }, { tx, user }) {
      const { entries, isCut } = await entriesOf(tx, user, Object.keys(sources), { from: start, to: end });
      const value = entries.map((entry) => ({
        key: entry.key,
        id: String(entry.id),
        title: entry.ownTitle ?? entry.title,
        start: entry.start,
        end: entry.end,
        place: entry.place ?? '',
        path: entry.path ?? '',
        cancelled: entry.cancelled ?? false,
        free: entry.free ?? false,
      }));
      return { kinds, value, more: isCut };
    },

    async add({ body: { name, keys, titles, remind, renews } }, { tx, user, audit }) {
      // It would outlive the application's key and ignore its limits.
      if (user.application) throw notForApplications();
      const unknown = keys.filter((key) => !Object.hasOwn(sources, key));
      if (unknown.length > 0) throw unknownKinds(unknown);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('feed'), ${user.id})`);
      const mine = eq(feedTable.user_id, user.id);
      const code = newCode();
      const row = { user_id: user.id, name, keys: [...new Set(keys)], titles, remind, code_hash: hashOf(code) };
      if (renews === undefined) {
        const [known] = await tx.select({ many: count() }).from(feedTable).where(mine);
        if (known!.many >= mostFeeds) throw tooManyFeeds();
      }
      const fresh = { content_hash: null, changed_at: null, last_read_at: null };
      const [written] = await (renews === undefined
        ? tx.insert(feedTable).values(row).returning({ id: feedTable.id })
        : tx
            .update(feedTable)
            .set({ ...row, ...fresh, gmt_created: sql`now()` })
            .where(and(mine, eq(feedTable.id, renews)))
            .returning({ id: feedTable.id }));
      if (!written) throw absent('日历地址');
      const named = kinds.flatMap((kind) => (keys.includes(kind.key) ? [kind.name] : []));
      const after = {
        内容: named,
        显示内部标题: titles ? '是' : '否',
        提醒: remind === null ? '不提醒' : remindNames[remind],
        ...(renews !== undefined && { 地址: '已更换' }),
      };
      audit({ type: '日历地址', id: written.id, title: name, after });
      return { id: written.id, path: `/api/calendars/ics/${code}.ics` };
    },

    async remove({ params }, { tx, user, audit }) {
      const mine = and(eq(feedTable.id, params.id), eq(feedTable.user_id, user.id));
      const [row] = await tx.delete(feedTable).where(mine).returning();
      if (!row) throw absent('日历地址');
      audit({ type: '日历地址', id: row.id, title: row.name, before: { 名称: row.name } });
      return {};
    },

    calendar: staged(feeds.calendar, {
      before: (_input, { origin }) => attempts.hit(asking, addressOf(origin.ip)),
      async run({ params, prepared: tries }, { tx, now, wire, afterReading }) {
        if (tries.exceeded) return plain(429, '请稍后再试', { 'retry-after': String(tries.retryAfter) });
        const found = await read(tx, params.code, now);
        if (!found) return plain(404, '没有这个日历地址，它可能已经停用');
        const { feed, text } = found;
        const tag = hashOf(text);
        const since = tag === feed.content_hash ? momentOf(feed.changed_at!) : now;
        afterReading((write) => wasRead(write, feed, tag, now));
        const known = {
          'last-modified': since.toUTCString(),
          // Stored by the client, and revalidated each time.
          'cache-control': 'private, no-cache',
        };
        if (isKnown(wire, tag, since)) return new ProtocolReply(304, { headers: { ...known, etag: `"${tag}"` } });
        const bytes = Buffer.from(text);
        const file = { bytes, tag, size: bytes.length, cache: known['cache-control'], name: 'calendar.ics' };
        return new ProtocolReply(200, { headers: known, file: { ...file, type: 'text/calendar; charset=utf-8' } });
      },
    }),
  });
}

/** Notes in a calendar that entries were left out. */
function cutNote(entries: readonly FeedEntry[], today: string): Keyed {
  const title = `日程过多，本日历只含 ${entries.length} 项，其余请在系统中查看`;
  const modified = entries.reduce((last, one) => (one.modified > last ? one.modified : last), '');
  return { key: 'feeds', id: 'cut', title, start: today, end: today, version: 0, modified };
}

/** Records a read, and whether the content differs from the last one. */
async function wasRead(tx: Db, feed: FeedRow, tag: string, now: Date): Promise<void> {
  const same = sql`${feedTable.content_hash} is not distinct from ${tag}`;
  await tx
    .update(feedTable)
    .set({
      content_hash: tag,
      changed_at: sql`case when ${same} then changed_at else ${momentText(now)}::timestamptz end`,
      last_read_at: sql`now()`,
    })
    .where(
      and(
        eq(feedTable.id, feed.id),
        eq(feedTable.code_hash, feed.code_hash),
        sql`(not (${same}) or last_read_at is null or last_read_at < now() - make_interval(mins => ${readEvery}))`,
      ),
    );
}

/** True if the client has this content (RFC 9110: an ETag takes precedence over a date). */
function isKnown(wire: Wire, tag: string, since: Date): boolean {
  const tags = wire.header('if-none-match');
  if (tags !== undefined) return tags.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`);
  const date = Date.parse(wire.header('if-modified-since') ?? '');
  return Math.floor(since.getTime() / 1000) * 1000 <= date;
}
