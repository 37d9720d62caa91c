import { afterAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from './contract.ts';
import { smsTemplates } from './contract/templates.ts';
import { secret } from './testing/provider-server.ts';
import { openProviders } from './testing/providers.ts';

vi.setConfig({ testTimeout: 40_000 });

const { office: app, sender, use, account, heard, answers, rowOf, close } = await openProviders();
afterAll(close);

const busy = { status: 503, body: { Code: 'ServiceUnavailable', Message: '繁忙' } };
const run = (text: string, batch: number) =>
  app.services.databases.pool.query(`with letter as (select delivery_id from sms_log where batch_id = $1) ${text}`, [
    batch,
  ]);
/** Makes its job due now; not one that is just recording a result. */
const hurry = (batch: number) =>
  eventually(async () => {
    const { rows } = await run(
      `select graphile_worker.reschedule_jobs(array[job.id], now())
        from graphile_worker.jobs job join letter on job.key = 'delivery:' || delivery_id where job.locked_at is null`,
      batch,
    );
    expect(rows).toHaveLength(1);
  });

test('Aliyun gets the message signed as documented, with the delivery’s key', async () => {
  await use(account('aliyun'));
  const sent = await sender.get(sms.send, { body: { mobiles: '13800000001', content: '开会 (9 点)!*' } });
  await eventually(async () =>
    expect(await rowOf(sent.batch_id)).toMatchObject({ state: 1, provider_code: 'biz-1', provider_msg: 'OK' }),
  );
  const row = await rowOf(sent.batch_id);
  expect(heard).toEqual([
    {
      provider: 'aliyun',
      signed: true,
      mobile: '13800000001',
      sign: '中枢',
      template: 'GENERAL_1',
      params: { content: '开会 (9 点)!*' },
      key: `sms:${row.id}:0`,
    },
  ]);
});

test('Tencent gets its template’s values in order, signed as documented', async () => {
  const template = await sender.get(smsTemplates.add, {
    body: { code: 'exam', name: '考试', content: '{course}在{room}考试', type: 2, provider_template_id: '7788' },
  });
  await use(account('tencent'));
  const sent = await sender.get(sms.send, {
    body: { mobiles: '13800000002', template_id: template.id!, params: { room: '3-101', course: '高数' } },
  });
  await eventually(async () =>
    expect(await rowOf(sent.batch_id)).toMatchObject({ state: 1, provider_code: 'serial-2' }),
  );
  expect(heard[0]).toMatchObject({
    provider: 'tencent',
    signed: true,
    mobile: '+8613800000002',
    sign: '中枢',
    template: '7788',
    params: ['高数', '3-101'],
  });
});

test('a number that a provider never serves fails at once, with the reason in the record', async () => {
  await use(account('aliyun'));
  answers.push({ status: 400, body: { Code: 'isv.MOBILE_NUMBER_ILLEGAL', Message: '号码不合法' } });
  const sent = await sender.get(sms.send, { body: { mobiles: '13800000003', content: '一' } });
  await eventually(async () =>
    expect(await rowOf(sent.batch_id)).toMatchObject({
      state: 3,
      retry: 0,
      provider_msg: expect.stringContaining('号码不合法') as string,
    }),
  );
});

test('a failed message is tried twice more over the channels in order, with the same key', async () => {
  await use(account('aliyun'), account('tencent', { sign: '备用' }));
  answers.push(busy);
  const sent = await sender.get(sms.send, { body: { mobiles: '13800000004', content: '二' } });
  await eventually(async () =>
    expect(await rowOf(sent.batch_id)).toMatchObject({
      state: 0,
      provider_msg: expect.stringContaining('繁忙') as string,
    }),
  );
  for (const [outcome, state] of [
    [{ body: { Response: { Error: { Code: 'InternalError', Message: '内部错误' } } } }, 0],
    [busy, 3],
  ] as const) {
    answers.push(outcome);
    await hurry(sent.batch_id);
    await eventually(async () => {
      expect(answers).toEqual([]);
      expect(await rowOf(sent.batch_id)).toMatchObject({ state });
    });
    await eventually(async () =>
      expect((await rowOf(sent.batch_id)).provider_msg).toContain(state === 3 ? '繁忙' : '内部错误'),
    );
  }
  expect(heard.map((one) => one.provider)).toEqual(['aliyun', 'tencent', 'aliyun']);
  expect(new Set(heard.map((one) => one.key)).size).toBe(1);
  expect(heard.every((one) => one.signed)).toBe(true);
  expect((await rowOf(sent.batch_id)).retry).toBe(2);
});

test('an attempt interrupted by a crash does not count: the same channel repeats it, with two more attempts left', async () => {
  await use(account('aliyun'), account('tencent', { sign: '备用' }));
  const send_at = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 16);
  const { batch_id } = await sender.get(sms.send, { body: { mobiles: '13800000005', content: '三', send_at } });
  await run(
    `, cut as (update delivery set tries = tries + 1 from letter where id = delivery_id returning id, tries)
    insert into delivery_try (delivery_id, number) select id, tries from cut`,
    batch_id,
  );
  for (const failures of [1, 2, 3]) {
    answers.push(busy);
    await hurry(batch_id);
    const noted = () => run('select failures from delivery join letter on id = delivery_id', batch_id);
    await eventually(async () => expect((await noted()).rows).toEqual([{ failures }]));
  }
  expect(await rowOf(batch_id)).toMatchObject({ state: 3, retry: 2 });
  expect(heard.map((one) => one.provider)).toEqual(['aliyun', 'tencent', 'aliyun']);
});

test('the keys of a provider are encrypted and never shown', async () => {
  const { value } = await app.admin.get(settings.interfaces);
  expect(value['sms']).toMatchObject({ key: '******', secret: '******' });
  const { rows } = await app.services.databases.pool.query<{ text: string }>('select value::text as text from setting');
  for (const row of rows) expect(row.text).not.toContain(secret);
});

test('a text beyond a provider’s limit for one value is refused to its author and never shown as sent', async () => {
  await use(account('aliyun'));
  const template = await sender.get(smsTemplates.add, {
    body: { code: 'exam_long', name: '长考试', content: '{course}考试', type: 2, provider_template_id: '7799' },
  });
  const to = { mobiles: '13800000021' };
  const asked = (body: object) => sender.ask(sms.send, { body: { ...to, ...body } as never });
  expect((await asked({ content: '长'.repeat(36) })).msg).toBe('内容有 36 个字，最多 35 个字，请精简后再发送');
  expect((await asked({ template_id: template.id!, params: { course: '课'.repeat(36) } })).msg).toBe(
    '“course”有 36 个字，短信服务商一处最多 35 个字，请缩短后再发送',
  );
  for (const short of [
    { content: '𠮷'.repeat(35) },
    { template_id: template.id!, params: { course: '课'.repeat(35) } },
  ]) {
    const { batch_id } = await sender.get(sms.send, { body: { ...to, ...short } });
    await eventually(async () => expect(await rowOf(batch_id)).toMatchObject({ state: 1 }));
  }
  // After a failure of the second provider the first is tried again.
  await use(account('tencent'), account('aliyun'));
  answers.push({ body: { Response: { Error: { Code: 'InternalError', Message: '内部错误' } } } });
  const sent = await sender.get(sms.send, { body: { ...to, content: '长'.repeat(60) } });
  await eventually(async () => expect((await rowOf(sent.batch_id)).provider_msg).toContain('内部错误'));
  await hurry(sent.batch_id);
  await eventually(async () => expect(await rowOf(sent.batch_id)).toMatchObject({ state: 1 }));
  expect(heard.map((one) => one.provider)).toEqual(['tencent', 'tencent']);
});
