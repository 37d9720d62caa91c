import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { dayAfter, dayOf, momentText } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { headAgrees, repairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { tokens } from '#modules/platform/tokens/contract.ts';
import { leastCost } from '#kernel/server/testing/cost.ts';
import { sendSigned } from '#modules/platform/tokens/testing/signed.ts';
import { calendarText, daysAround } from './calendar.ts';
import { feeds, mostFeeds } from './contract.ts';
import { mostTogether, type FeedEntry } from './service.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  await change(sql`delete from feed`);
  await change(sql`delete from attempt where kind = 'feed'`);
});

const change = (statement: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(statement));
const body = { name: '手机', keys: ['tickets'] };
const add = async (who: Client, more: object = {}) => (await who.get(feeds.add, { body: { ...body, ...more } })).path;
const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await app.stranger.fetch(path, { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
/** Lines of a calendar, with folded lines joined. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');
const valuesOf = (text: string, name: string) =>
  linesOf(text).flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1)] : []));
const soon = (hours: number) => momentText(new Date(Date.now() + hours * 3_600_000));
/** A ticket that waits for the head, with this deadline. */
async function due(title: string, at: string): Promise<number> {
  const id = await cast.waiting({ title, amount: 300 });
  await change(sql`update ticket set due_at = ${at} where id = ${id}`);
  return id;
}

describe('a calendar address', () => {
  test('is shown once, kept only as its hash, and read without signing in', async () => {
    const { id, path } = await cast.head.get(feeds.add, { body });
    expect(path).toMatch(/^\/api\/calendars\/ics\/[0-9A-Z]{16}\.ics$/);
    const code = path.slice(-20, -4);
    const { rows } = await app.db.execute(sql`select * from feed`);
    expect(JSON.stringify(rows)).not.toContain(code);
    const list = await cast.head.get(feeds.list, {});
    expect(list).toEqual({
      kinds: expect.arrayContaining([{ key: 'tickets', name: '待办期限' }]) as unknown,
      may_name: true,
      value: [
        { id, ...body, titles: false, remind: null, gmt_created: expect.any(String) as unknown, last_read_at: null },
      ],
    });
    const { rows: log } = await app.db.execute(sql`select * from log`);
    expect(JSON.stringify(log)).not.toContain(code);

    const answer = await read(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect((await read(path.replace('.ics', '/').toLowerCase().replace('/API', '/api'))).text).toBe(answer.text);
    expect((await cast.head.get(feeds.list, {})).value[0]!.last_read_at).not.toBeNull();
    expect((await cast.leader.get(feeds.list, {})).value).toEqual([]);
  });

  test('that is renewed, withdrawn, unknown or of a disabled person answers the same bytes', async () => {
    const [renewed, ended, left, locked, good] = [
      await add(cast.head),
      await add(cast.head, { name: '电脑' }),
      await add(cast.second),
      await add(cast.helper),
      await add(cast.leader),
    ];
    const own = (await cast.head.get(feeds.list, {})).value;
    const fresh = await add(cast.head, { renews: own[0]!.id });
    await cast.head.get(feeds.remove, { params: { id: own[1]!.id } });
    await change(sql`update app_user set is_active = false where id = ${cast.second.userId}`);
    await change(sql`update app_user set must_change_pwd = true where id = ${cast.helper.userId}`);
    for (const path of [fresh, good]) expect((await read(path)).status).toBe(200);
    const answers = [];
    for (const path of [renewed, ended, left, locked, `${good.slice(0, -6)}ZZ.ics`, '/api/calendars/ics/x/'])
      answers.push(await read(path));
    const seen = answers.map(({ status, text, headers }) => {
      const { date: _date, 'x-request-id': _id, ...rest } = Object.fromEntries(headers);
      return { status, text, rest };
    });
    expect(seen[0]).toMatchObject({ status: 404, text: '没有这个日历地址，它可能已经停用\n' });
    for (const one of seen) expect(one).toEqual(seen[0]);
    await change(sql`update app_user set is_active = true, must_change_pwd = false`);
  });

  test('is renewed and withdrawn only by its owner, up to ten each, also under simultaneous requests', async () => {
    const path = await add(cast.head);
    const { id } = (await cast.head.get(feeds.list, {})).value[0]!;
    for (const answer of [
      await cast.leader.ask(feeds.remove, { params: { id } }),
      await cast.leader.ask(feeds.add, { body: { ...body, renews: id } }),
    ])
      expect(answer.code).toBe(codes.absent);
    expect((await read(path)).status).toBe(200);
    const asked = await Promise.all(Array.from({ length: 14 }, () => cast.head.ask(feeds.add, { body })));
    expect(asked.filter(({ code }) => code === 0)).toHaveLength(mostFeeds - 1);
    expect((await cast.head.get(feeds.list, {})).value).toHaveLength(mostFeeds);
    expect((await cast.head.ask(feeds.add, { body: { ...body, renews: id } })).code).toBe(0);
    expect((await cast.head.ask(feeds.add, { body: { ...body, keys: ['nothing'] } })).msg).toBe(
      '没有这种内容：nothing',
    );
  });

  test('cannot be created by an application in a person’s name', async () => {
    const made = await app.admin.get(tokens.add, {
      body: { app_name: '外部系统', apis: ['POST /api/calendars/feed/'] },
    });
    const answer = await sendSigned(
      app.url,
      { app: String(made.id), key: made.key },
      { method: 'POST', url: '/api/calendars/feed/', body: JSON.stringify(body) },
    );
    expect([answer.code, answer.msg]).toEqual([codes.forbidden, '日历地址只能由本人登录后生成']);
  });

  test('requested too often from one network address is delayed, whether it exists or not', async () => {
    const path = await add(cast.head);
    const answers = await Promise.all(Array.from({ length: 70 }, (_one, n) => read(n % 2 ? path : `${path}x`)));
    const late = answers.filter(({ status }) => status === 429);
    expect(late).toHaveLength(10);
    expect(Number(late[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(new Set(late.map(({ text }) => text)).size).toBe(1);
  });
});

describe('my calendar', () => {
  const days = { start: dayOf(new Date()), end: dayOf(new Date(Date.now() + 5 * 86_400_000)) };

  test('shows the person’s own entries of all modules between two days, and nobody else’s', async () => {
    const id = await due('换门，换窗', soon(50));
    const later = await due('以后再办', soon(24 * 30));
    const { kinds, value, more } = await cast.head.get(feeds.mine, { query: days });
    expect(kinds).toContainEqual({ key: 'leave', name: '请假与外出' });
    expect([value, more]).toEqual([
      [
        expect.objectContaining({
          key: 'tickets',
          id: String(id),
          title: '办理期限：换门，换窗',
          path: `/ticket/detail/${id}`,
          cancelled: false,
        }),
      ],
      false,
    ]);
    expect((await cast.leader.get(feeds.mine, { query: days })).value).toEqual([]);
    await change(sql`update ticket set submitted_at = null, is_deleted = true where id in (${id}, ${later})`);
  });

  test('of a single day holds every entry of that day and none of the days beside it', async () => {
    const day = dayOf(new Date(Date.now() + 3 * 86_400_000));
    const early = await due('当天零点', `${day} 00:00:00`);
    const late = await due('当天最后一分钟', `${day} 23:59:00`);
    const next = await due('次日零点', `${dayAfter(day, 1)} 00:00:00`);
    const { value } = await cast.head.get(feeds.mine, { query: { start: day, end: day } });
    expect(value.map((entry) => entry.id)).toEqual([String(early), String(late)]);
    await change(
      sql`update ticket set submitted_at = null, is_deleted = true where id in (${early}, ${late}, ${next})`,
    );
  });

  test('covers at most six weeks, and its end may not be before its beginning', async () => {
    for (const query of [
      { ...days, end: dayOf(new Date(Date.now() + 43 * 86_400_000)) },
      { start: days.end, end: days.start },
    ])
      expect((await cast.head.ask(feeds.mine, { query })).msg).toContain('一次最多查看 42 天');
  });
});

describe('the content of a subscribed calendar', () => {
  test('is what waits for its owner up to a day, with their present rights, and disappears when done', async () => {
    const path = await add(cast.head);
    const other = await add(cast.leader);
    const [later, sooner] = [await due('换锁', soon(50)), await due('修灯，换管', soon(26))];
    await due('太远', soon(24 * 400));
    const { text } = await read(path);
    const house = new URL(app.url).host;
    expect(valuesOf(text, 'SUMMARY')).toEqual(['办理期限：修灯，换管', '办理期限：换锁']);
    expect(valuesOf(text, 'UID')).toEqual([`tickets-${sooner}@${house}`, `tickets-${later}@${house}`]);
    expect(linesOf(text)).toContain(`URL;VALUE=URI:${app.url}/ticket/detail/${sooner}`);
    const utc = soon(26).replace(/\D/g, '');
    expect(valuesOf(text, 'DTEND')[0]).toMatch(/Z$/);
    expect(
      momentText(iso(valuesOf(text, 'DTEND')[0]!))
        .replace(/\D/g, '')
        .slice(0, 10),
    ).toBe(utc.slice(0, 10));
    expect((await read(other)).text).not.toContain('SUMMARY');

    await cast.does(cast.head, sooner, headAgrees);
    expect(valuesOf((await read(path)).text, 'SUMMARY')).toEqual(['办理期限：换锁']);
    await change(sql`update ticket set submitted_at = null, is_deleted = true where id = ${later}`);
    expect((await read(path)).text).not.toContain('SUMMARY');
  });

  test('is sent again only when it changed, by ETag and by date, also after a removal', async () => {
    const path = await add(cast.head);
    const id = await due('一年一检', soon(30));
    const first = await read(path);
    const tag = first.headers.get('etag')!;
    const date = first.headers.get('last-modified')!;
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const [name, value] of [
      ['if-none-match', `"x", W/${tag}`],
      ['if-modified-since', date],
    ] as const) {
      const again = await read(path, { [name]: value });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    }
    // An ETag takes precedence over a date.
    expect((await read(path, { 'if-none-match': '"x"', 'if-modified-since': date })).status).toBe(200);
    // The dates have a resolution of one second.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await change(sql`update ticket set submitted_at = null, is_deleted = true where id = ${id}`);
    const gone = await read(path, { 'if-modified-since': date });
    expect([gone.status, gone.text.includes('SUMMARY')]).toEqual([200, false]);
    expect(Date.parse(gone.headers.get('last-modified')!)).toBeGreaterThan(Date.parse(date));
    expect((await read(path, { 'if-modified-since': gone.headers.get('last-modified')! })).status).toBe(304);
    expect((await read(path, { 'if-none-match': tag })).status).toBe(200);
  });
});

const iso = (text: string) => new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

describe('the text of a calendar', () => {
  const entry: FeedEntry & { key: string } = {
    key: 'meetings',
    id: 7,
    title: '校长办公会',
    version: 3,
    modified: '2026-11-20 08:00:00',
    start: '2026-12-01 09:00:00',
    end: '2026-12-01 10:30:00',
  };
  const text = (entries: readonly (FeedEntry & { key: string })[], origin: string | null = 'https://oa.example.edu') =>
    calendarText({ name: '某校 手机', origin, entries });

  test('keeps one UID per entry, raises its sequence on changes, and marks cancelled entries by their status', () => {
    const moved = text([{ ...entry, version: 4, start: '2026-12-01 14:00:00', end: '2026-12-01 15:00:00' }]);
    expect([valuesOf(moved, 'UID'), valuesOf(moved, 'SEQUENCE')]).toEqual([['meetings-7@oa.example.edu'], ['4']]);
    expect([valuesOf(moved, 'DTSTART'), valuesOf(moved, 'DTEND')]).toEqual([
      ['20261201T060000Z'],
      ['20261201T070000Z'],
    ]);
    expect(valuesOf(text([{ ...entry, cancelled: true }]), 'STATUS')).toEqual(['CANCELLED']);
    expect(text([entry])).toBe(text([entry]));
  });

  test('writes whole days as dates, including the last one', () => {
    const days = linesOf(text([{ ...entry, start: '2026-12-31', end: '2027-01-02' }]));
    expect(days).toContain('DTSTART;VALUE=DATE:20261231');
    expect(days).toContain('DTEND;VALUE=DATE:20270103');
  });

  test('lets no title begin a new line, and never folds inside a character', () => {
    const title = `一;二,三\\四\r\nATTENDEE:mailto:x@y\n${'长'.repeat(60)}`;
    const lines = text([{ ...entry, title, place: '一楼\nURL:x', path: '/meet/7' }]);
    expect(linesOf(lines).filter((line) => /^(ATTENDEE|URL:)/.test(line))).toEqual([]);
    expect(valuesOf(lines, 'SUMMARY')).toEqual([`一\\;二\\,三\\\\四\\nATTENDEE:mailto:x@y\\n${'长'.repeat(60)}`]);
    for (const line of lines.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(lines).not.toContain('\uFFFD');
    expect(text([{ ...entry, path: '/meet/7' }], null)).not.toContain('URL');
  });

  test('ends its last line, escapes its name, and marks declined entries as free time', () => {
    const named = calendarText({
      name: '会议,研讨;甲',
      origin: null,
      entries: [entry, { ...entry, id: 8, free: true }],
    });
    expect(named.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(valuesOf(named, 'X-WR-CALNAME')).toEqual(['会议\\,研讨\\;甲']);
    expect(valuesOf(named, 'TRANSP')).toEqual(['TRANSPARENT']);
  });

  test('reminds of timed entries as long before as the owner chose, and of no declined ones', () => {
    const days = { start: '2026-12-31', end: '2027-01-02' };
    const reminded = (remind: number | null, more: object = {}) =>
      valuesOf(calendarText({ name: '会', origin: null, remind, entries: [{ ...entry, ...more }] }), 'TRIGGER');
    expect(reminded(15)).toEqual(['-PT15M']);
    expect(reminded(1440)).toEqual(['-P1D']);
    for (const none of [
      reminded(null),
      reminded(15, days),
      reminded(15, { free: true }),
      reminded(15, { cancelled: true }),
    ])
      expect(none).toEqual([]);
  });

  test('with the maximum number of entries is written without blocking others', async () => {
    const many = Array.from({ length: mostTogether }, (_one, id) => ({ ...entry, id, title: '长'.repeat(60) }));
    expect(await leastCost(() => text(many), 4)).toBeLessThan(50);
  });

  test('covers one month back and one year ahead', () => {
    const now = new Date('2026-11-22T23:30:00+08:00');
    expect(daysAround(now)).toEqual({ from: '2026-10-22', to: '2027-11-23' });
    expect(dayOf(now)).toBe('2026-11-22');
  });
});
