import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';

/** An office whose external messages are sent at any hour. */
export async function openOutside() {
  const app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  /** Sets the quiet hours of text messages, so that they do not depend on the present time. */
  const keepQuiet = async (quiet: string) => {
    await app.admin.get(sms.saveRule, { body: { quiet } });
    const kept = async () => (await app.services.settings.of(smsRules)).quiet;
    await eventually(async () => expect(await kept()).toBe(quiet));
  };
  await keepQuiet('00:00-00:00');
  const someone = async (email = '') => {
    const who = await app.signIn(await app.person());
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set email = ${email} where id = ${who.userId}`),
    );
    return who;
  };
  const sender = () => app.clerk({ 'msg/send': ['Create', 'Retrieve'] });
  const rows = async <R extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    (await app.services.databases.pool.query<R>(text, values)).rows;
  return { app, keepQuiet, someone, sender, rows, close: () => app.close() };
}
