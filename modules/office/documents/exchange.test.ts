import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import {
  beforeExchanged,
  documentExchange,
  exchangedInFuture,
  exchangedOtherwise,
  exchangeOver,
  exchangeStands,
  exchangeTitleWanted,
  notExchangeable,
  secretExchanged,
} from './contract/exchange/exchange.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { documents } from './contract.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 180_000);
afterAll(() => school.office.close());

type Body = BodyOf<typeof documentExchange.add>;
const paper = { direction: 1, title: '关于合作办学的函', org: '市教育局', exchanged_on: '2026-03-02' } as const;
const enter = (who: Client, body: Partial<Body> = {}) =>
  who.ask(documentExchange.add, { body: { ...paper, ...body } as Body });
const entered = async (who: Client, body: Partial<Body> = {}) => (await enter(who, body)).data!.id!;
const rowOf = async (who: Client, id: number) =>
  (await who.get(documentExchange.list, { query: { per_page: 100 } })).value.find((row) => row.id === id);
const sign = (who: Client, id: number, signed_on = '2026-03-03') =>
  who.ask(documentExchange.sign, { params: { id }, body: { signed_by: '门卫老王', signed_on } });
const giveBack = (who: Client, id: number, returned_on = '2026-03-05') =>
  who.ask(documentExchange.giveBack, { params: { id }, body: { returned_on, return_reason: '主送有误' } });

describe('the register of exchange', () => {
  test('records for each paper sent or received who signed for it, or why it was returned', async () => {
    const { clerk } = school;
    const [sent, received] = [await entered(clerk), await entered(clerk, { direction: 2, title: '关于评审的通知' })];
    expect(await rowOf(clerk, sent)).toMatchObject({ state: 1, actions: ['update', 'sign', 'return', 'delete'] });
    expect((await sign(clerk, sent)).code).toBe(0);
    expect(await rowOf(clerk, sent)).toMatchObject({ state: 2, signed_by: '门卫老王', actions: ['return'] });
    expect((await giveBack(clerk, sent)).code).toBe(0);
    expect((await giveBack(clerk, received)).code).toBe(0);
    expect(await rowOf(clerk, received)).toMatchObject({ state: 3, return_reason: '主送有误', actions: [] });
    const { value } = await clerk.get(documentExchange.list, { query: { direction: 1, state: 3 } });
    expect(value.map((row) => row.id)).toEqual([sent]);
    const sheet = await clerk.fetch('/api/document/exchange/?export=xlsx');
    const rows = await readSheet(Buffer.from(await sheet.arrayBuffer()), { maxRows: 10, maxColumns: 20 });
    expect(rows[0]).toContain('退回原因');
    expect(rows.slice(1).map((cells) => cells[0])).toEqual(expect.arrayContaining(['发出', '收到']));
  });

  test('takes title and number from an issued letter, and refuses one in the wrong direction', async () => {
    const { clerk, author, write, goOn, registrar } = school;
    const { id, ticket_id } = await write();
    expect(await enter(clerk, { document_id: id })).toRefuse(notExchangeable, school.letter.title);
    await goOn(ticket_id, 17);
    const { doc_number, title } = await school.detail(author, id);
    const row = await entered(clerk, { document_id: id, title: '别的', number: '别的' });
    expect(await rowOf(clerk, row)).toMatchObject({ title, number: doc_number, document_id: id });
    expect(await enter(clerk, { document_id: id, direction: 2 })).toRefuse(exchangedOtherwise, title, '收到');
    const came = await registrar.get(documents.create, {
      body: {
        doc_kind: 2,
        title: '关于报送材料的通知',
        from_org: '省教育厅',
        from_number: '省教〔2026〕5号',
        received_date: '2026-03-02',
        submit: true,
      },
    });
    const incoming = await entered(clerk, { document_id: came.id, direction: 2, org: '省教育厅' });
    expect(await rowOf(clerk, incoming)).toMatchObject({ number: '省教〔2026〕5号' });
    expect(await enter(clerk, { title: '' })).toRefuse(exchangeTitleWanted);
    // A user who does not see a document learns nothing about it here.
    const far = await school.hire('远方秘书', { roles: ['secretary'], dept: school.elsewhere });
    expect((await enter(registrar, { document_id: 999_999 })).code).toBe(4004);
    expect((await enter(far, { document_id: id })).code).toBe(4004);
  });

  test('accepts only past days, and no signature before the sending', async () => {
    const { clerk } = school;
    const tomorrow = dayOf(new Date(Date.now() + 26 * 3_600_000));
    expect(await enter(clerk, { exchanged_on: tomorrow })).toRefuse(exchangedInFuture, '交换日期', tomorrow);
    const id = await entered(clerk);
    const early = await sign(clerk, id, '2026-03-01');
    expect(early).toRefuse(beforeExchanged, '签收日期', '2026-03-01', '2026-03-02');
    await sign(clerk, id, '2026-03-04');
    const back = await giveBack(clerk, id, '2026-03-03');
    expect(back).toRefuse(beforeExchanged, '退回日期', '2026-03-03', '2026-03-04');
  });

  test('is final for a row once signed or returned, also in the database, and two simultaneous signatures are one', async () => {
    const { clerk, office } = school;
    const id = await entered(clerk);
    const both = await Promise.all([sign(clerk, id), sign(clerk, id)]);
    expect(both.map((answer) => answer.code).toSorted()).toEqual([0, 4010]);
    expect(both.find((answer) => answer.code !== 0)).toRefuse(exchangeOver, '已签收');
    const params = { id };
    const changed = await clerk.ask(documentExchange.change, { params, body: { copies: 3 } });
    expect(changed).toRefuse(exchangeStands, '已签收');
    expect(await clerk.ask(documentExchange.remove, { params })).toRefuse(exchangeStands, '已签收');
    const tried = (statement: ReturnType<typeof sql>) =>
      office.services.databases
        .write((tx) => tx.execute(statement))
        .then(
          () => 'done',
          (error: Error) => String(error.cause ?? error),
        );
    expect(await tried(sql`update document_exchange set org = '别处' where id = ${id}`)).toContain('stands');
    expect(await tried(sql`delete from document_exchange where id = ${id}`)).toContain('stands');
    expect(await tried(sql`update document_exchange set signed_by = '' where id = ${id}`)).toContain('stands');
    await giveBack(clerk, id);
    expect(await tried(sql`update document_exchange set return_reason = '另' where id = ${id}`)).toContain('stands');
  });

  test('allows a row to be corrected or removed until it is signed, and logs it', async () => {
    const { clerk } = school;
    const id = await entered(clerk);
    await clerk.get(documentExchange.change, { params: { id }, body: { copies: 3 } });
    expect(await rowOf(clerk, id)).toMatchObject({ copies: 3, org: '市教育局' });
    await clerk.get(documentExchange.remove, { params: { id } });
    expect(await rowOf(clerk, id)).toBeUndefined();
  });

  test('refuses secret documents', async () => {
    const { clerk, write, goOn, office } = school;
    const allow = (allow_secret: boolean) => office.admin.get(settings.saveSite, { body: { allow_secret } });
    await allow(true);
    const { id, ticket_id } = await write({ secret_level: 1, secret_period: '10年', copy_no: '000001' });
    await goOn(ticket_id);
    await allow(false);
    expect(await enter(clerk, { document_id: id })).toRefuse(secretExchanged);
  });

  test('shows each department its own rows, and the office all', async () => {
    const { clerk, registrar, author, hire, elsewhere } = school;
    const far = await hire('远秘书', { roles: ['secretary'], dept: elsewhere });
    const own = await entered(registrar);
    expect(await rowOf(clerk, own)).toBeDefined();
    expect(await rowOf(far, own)).toBeUndefined();
    expect((await sign(far, own)).code).toBe(4004);
    expect((await author.ask(documentExchange.list, {})).code).toBe(4003);
  });
});
