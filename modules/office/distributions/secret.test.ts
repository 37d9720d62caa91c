import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settings } from '#modules/platform/settings/contract.ts';
import { distributions } from './contract.ts';
import { openGiving, type Giving } from './testing/giving.ts';

let giving: Giving;
beforeAll(async () => {
  giving = await openGiving();
}, 180_000);
afterAll(() => giving.office.close());

describe('a secret document', () => {
  test('is distributed only internally, without text messages, exports, or its name in what leaves the house', async () => {
    const { finished, given, give, office: app, reader, clerk, titles } = giving;
    const allow = (allow_secret: boolean) => app.admin.get(settings.saveSite, { body: { allow_secret } });
    await allow(true);
    try {
      const secret = { secret_level: 1, secret_period: '10年', copy_no: '000001', title: '关于绝密金雀的通知' };
      const document = await finished(secret);
      const to = { users: [reader.userId] };
      const texted = await give(document, to, { sms: true });
      expect([texted.code, texted.msg]).toEqual([-1, '涉密公文不发短信，请取消短信提醒']);
      const dist = await given(document, to, { note: '绝密金雀说明' });
      expect(await titles(reader)).toContain('公文分发：一份涉密公文');
      const { rows } = await app.db.execute<{ said: string }>(
        sql`select title || content said from msg where module = 'distributions' and object_id = ${dist}`,
      );
      expect(JSON.stringify(rows)).not.toContain('金雀');
      const urged = await clerk.ask(distributions.urge, { params: { id: dist }, body: { sms: true } });
      expect(urged.msg).toBe('涉密公文不发短信，请取消短信提醒');
      await reader.get(distributions.read, { params: { id: dist }, body: { reply: '金雀已阅' } });
      const inList = await clerk.get(distributions.list, { query: { search_value: '绝密金雀' } });
      expect(inList.total).toBe(1);
      const { readSheet } = await import('#kernel/server/export/sheet-reader.ts');
      const sheetOf = async (path: string) =>
        JSON.stringify(await readSheet(Buffer.from(await (await clerk.fetch(path)).arrayBuffer())));
      expect(await sheetOf('/api/document/dist/?export=xlsx')).not.toContain('金雀');
      expect(await sheetOf(`/api/document/dist/${dist}/readers/?export=xlsx`)).not.toContain('职员');
      expect((await giving.recall(clerk, dist, '金雀发错')).code).toBe(0);
      const logged = await app.db.execute<{ diff: object }>(
        sql`select title, diff from log where object_type = '公文分发' and object_id = ${String(dist)} order by id`,
      );
      const said = JSON.stringify(logged.rows);
      expect([said.includes('金雀'), said.match(/（涉密公文，不记内容）/g)?.length]).toEqual([false, 2]);
    } finally {
      await allow(false);
    }
  });
});
