import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from '../contract.ts';
import { smsRules } from '../contract/rules.ts';
import { smsLogTable } from '../tables.ts';
import { openProviderServer } from './provider-server.ts';

/** An office, and the server of its providers. */
export async function openProviders() {
  const provider = await openProviderServer();
  const { heard, queries, fates, answers, account } = provider;
  const app = await openTestApp({ outgoingAllow: ['127.0.0.1'] });
  const sender = await app.signIn('admin');

  /** Saves the channels, and waits until the server uses them. */
  const use = async (main: { provider: string }, backup: { provider: string } = { provider: '' }) => {
    await app.admin.get(settings.saveInterfaces, {
      body: { sms: main, sms_backup: backup } as never,
    });
    await app.admin.get(sms.saveRule, { body: { quiet: '00:00-00:00' } });
    await eventually(async () => {
      expect((await app.services.settings.of(smsRules)).quiet).toBe('00:00-00:00');
      const { sms: kept, sms_backup: second } = await app.services.settings.get('interface');
      expect([kept?.['provider'], second?.['provider']]).toEqual([main.provider, backup.provider]);
    });
    heard.length = 0;
    answers.length = 0;
  };
  const rowOf = async (batch: number) =>
    (await app.db.select().from(smsLogTable).where(eq(smsLogTable.batch_id, batch)))[0]!;
  const close = async () => {
    await app.close();
    provider.close();
  };
  return { office: app, sender, account, use, heard, queries, fates, answers, rowOf, close };
}
