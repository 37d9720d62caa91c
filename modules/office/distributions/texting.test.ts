import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { distributions } from './contract.ts';
import { openGiving, type Giving } from './testing/giving.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  (await giving.office.services.databases.pool.query<R>(text, values)).rows;
let numbers = 13900006000;
/** Somebody of another department with a telephone. */
async function texted() {
  const who = await giving.clerkOf(giving.elsewhere);
  await rows('update app_user set phone = $1 where id = $2', String(++numbers), who.userId);
  return who;
}
const texts = async (who: Client) =>
  (await rows<{ content: string }>('select content from sms_log where user_id = $1 order by id', who.userId)).map(
    ({ content }) => /：(.+?)，/.exec(content)![1],
  );
/** Waits until no message to a person is pending on any channel. */
const settled = (who: Client) =>
  eventually(async () =>
    expect(await rows(`select 1 from graphile_worker.jobs where key like 'outside:%:' || $1`, who.userId)).toEqual([]),
  );

test('a person who chose text messages gets one for a distribution and one for an urge, even if the sender asks for them too', async () => {
  const { finished, given, clerk } = giving;
  const [silent, eager] = [await texted(), await texted()];
  await eager.get(messages.keepPreference, { body: { events: { DIST: ['sms'], URGE: ['sms'] } } });
  const to = { users: [silent.userId, eager.userId] };
  const dist = await given(await finished({ title: '关于一条短信的通知' }), to, { sms: true });
  await clerk.get(distributions.urge, { params: { id: dist }, body: { sms: true } });
  for (const who of [silent, eager]) {
    await settled(who);
    expect((await texts(who)).toSorted()).toEqual(['公文分发：关于一条短信的通知', '请尽快阅读：关于一条短信的通知']);
  }
}, 180_000);

test('a text message waiting for the morning is not sent to a person who has read the document meanwhile', async () => {
  const { office: app, finished, given, opened } = giving;
  const clock = (hours: number) => momentText(new Date(Date.now() + hours * 3_600_000)).slice(11, 16);
  const keepQuiet = async (quiet: string) => {
    await app.admin.get(sms.saveRule, { body: { quiet } });
    const kept = async () => (await app.services.settings.of(smsRules)).quiet;
    await expect.poll(kept).toBe(quiet);
  };
  await keepQuiet(`${clock(-1)}-${clock(2)}`);
  const [reader, idle] = [await texted(), await texted()];
  const to = { users: [reader.userId, idle.userId] };
  const dist = await given(await finished({ title: '关于夜里的通知' }), to, { sms: true });
  const states = async () =>
    (
      await rows<{ state: string }>(
        `select d.state from sms_log s join delivery d on d.id = s.delivery_id where s.user_id = any($1) order by s.user_id`,
        to.users,
      )
    ).map(({ state }) => state);
  /** Runs its jobs at once, on any node, and again whenever a node postpones them because it has not read the new hours yet. */
  const hurried = () =>
    rows(`select graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) from graphile_worker.jobs
      where key like 'delivery:%' and locked_at is null`);
  const become = (expected: string[], prepare = async (): Promise<unknown> => undefined) =>
    eventually(async () => {
      await prepare();
      expect(await states()).toEqual(expected);
    });
  await become(['waiting', 'waiting']);
  await opened(reader, dist);
  await keepQuiet('00:00-00:00');
  // No provider is configured here, so a pending message ends as tried and given up.
  await become(['cancelled', 'given_up'], hurried);
}, 180_000);
