import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distributions } from '#modules/office/distributions/contract.ts';
import { folders } from '#modules/office/folders/contract.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { documentNotices } from '#modules/office/notices/contract.ts';
import { subs } from '#modules/office/supervision/contract/supervise.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { dutiesOf } from '#modules/platform/waits/service.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';
import { unlimited } from './testing/walk.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ demonstration: true });
}, unlimited);
afterAll(() => app.close());

const ofKind = (category: string) => async (who: Client) =>
  (await who.get(waiting.list, { query: { category, whole: true } })).total;
/** The lists that the pages of these kinds show by a tab or a filter of their own. */
const totals: Readonly<Record<string, (who: Client) => Promise<number>>> = {
  dist: async (who) => (await who.get(distributions.list, { query: { scope: 'received', state: 0 } })).total,
  notice: async (who) => (await who.get(documentNotices.list, { query: { to_confirm: true } })).total,
  meeting: async (who) => (await who.get(meetCalls.attend, { query: { when: 'unanswered' } })).total,
  paper: async (who) => (await who.get(folders.papers, { query: { to_confirm: true } })).total,
  supervise: async (who) => (await who.get(subs.list, { query: { mine: true, todo: true } })).total,
  leader: async (who) => (await who.get(leaders.list, { query: { category: 'reply' } as never })).total,
  duty: ofKind('duty'),
  'duty-plan': ofKind('duty-plan'),
  report: ofKind('report'),
};

test('each list of a kind of waiting items has as many rows as its number, including those put aside', async () => {
  await app.admin.get(documentNotices.publish, {
    body: { title: '请确认格式', content: '请确认', recipients: { all: true }, need_receipt: true } as never,
  });
  await app.services.databases.write(async (tx) => {
    await tx.execute(sql`update folder_paper set must_read = true, read_deadline = '2099-03-01' where status = 1`);
    await tx.execute(sql`insert into monitor_report (customer_id, month) select id, '2026-01' from customer`);
  });
  const { waits } = app.services.product;
  const duties = await app.services.databases.write((tx) => dutiesOf(tx, waits));
  const seen: string[] = [];
  for (const [key, totalOf] of Object.entries(totals)) {
    const { title } = waits.find((one) => one.key === key)!;
    const waited = duties.filter(({ kinds }) => kinds.some((kind) => kind.title === title));
    if (waited.length > 0) seen.push(key);
    for (const { people } of waited.slice(0, 4)) {
      const who = await app.signIn(people[0]!);
      const mine = async () => (await who.get(waiting.mine, {})).value.find((kind) => kind.key === key)!;
      const { count, aside } = await mine();
      expect([key, await totalOf(who)]).toEqual([key, count + aside]);
      const { value } = await who.get(waiting.list, { query: { category: key, per_page: 1 } });
      const until = (await who.get(waiting.times, {})).at(-1)!.at;
      if (value[0]) await who.get(waiting.putAside, { body: { rows: [value[0].id], until } });
      expect([key, await mine(), await totalOf(who)]).toMatchObject([key, { aside: aside + 1 }, count + aside]);
    }
  }
  // The shifts and meetings of the day decide of which other kinds something waits.
  expect(seen.length).toBeGreaterThan(4);
}, 180_000);
