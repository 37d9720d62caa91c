import { afterAll, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { orders } from './contract/orders.ts';
import { placeOf } from './contract/codes.ts';
import { ledger } from './record/reading.ts';
import { orderTable } from './tables.ts';
import { orderStatistics } from './contract/statistics.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const { app, staff, colleague, desk, jia, act, get, finish, walked, report, done, sql } = house;
afterAll(app.close);

const inHours = (hours: number) => momentText(new Date(Date.now() + hours * 36e5)).slice(0, 16);
const heard = async (who: typeof staff, words: string) =>
  (
    await sql(`select 1 from msg join msg_user on msg_id = msg.id where user_id = $1 and strpos(content, $2) > 0`, [
      who.userId,
      words,
    ])
  ).rows.length;

test('a place shows building and room beside its written description, without repeating either', async () => {
  expect(placeOf({ building: '一号楼', floor: '', room: '305', place: '空调' })).toBe('一号楼 305 空调');
  expect(placeOf({ building: '一号楼', floor: '', room: '305', place: '一号楼 305 空调' })).toBe('一号楼 305 空调');
  expect(placeOf({ building: '一号楼', floor: '3', room: '305', place: '' })).toBe('一号楼 3 305');
  const id = await report({ place: '空调' });
  const { value } = await desk.get(orders.list, { query: { search_value: '水管', per_page: 100 } });
  expect(value.find((row) => row.id === id)!.place).toBe('一号楼 305 空调');
});

test('a part of a place is left out only where it is repeated as a whole word, on page and ledger alike', async () => {
  const places = [
    [{ building: '1号楼', floor: '3', room: '', place: '305 空调' }, '1号楼 3 305 空调'],
    [{ building: '1号楼', floor: '', room: '', place: '11号楼旁' }, '1号楼 11号楼旁'],
    [{ building: '1号楼', floor: '3', room: '305', place: '1号楼3层305室' }, '1号楼3层305室'],
    [{ building: 'B座(东)', floor: '', room: 'A.1', place: 'A21 B座(东)' }, 'A.1 A21 B座(东)'],
  ] as const;
  for (const [where, said] of places) {
    expect(placeOf(where)).toBe(said);
    const id = await report(where);
    const [row] = await app.db.select({ place: ledger.place }).from(orderTable).where(eq(orderTable.id, id));
    expect(row!.place).toBe(said);
  }
});

test('a reporter’s comments and rating reach the handler, and a moved appointment reaches the reporter', async () => {
  const id = await walked(30);
  const { ticket_id } = await get(id);
  await done(
    staff.ask(ticketActions.comment, { params: { id: ticket_id! }, body: { suggestion: '下午三点以后在' } as never }),
  );
  expect(await heard(jia, '下午三点以后在')).toBe(1);
  const moved = inHours(30);
  await done(act(jia, id, 'progress', { appoint_time: moved, words: '等配件' }));
  expect(await heard(staff, `预约改为 ${moved}：等配件`)).toBe(1);
  await done(finish(jia, id));
  await done(staff.ask(orders.comment, { params: { id }, body: { score: 5, content: '修得很好' } as never }));
  expect(await heard(jia, '修得很好')).toBe(1);
});

test('the desk finishes an order for its handler by the same rules, and rework goes back to the handler', async () => {
  const id = await walked(30);
  expect((await get(id)).actions).toContain('finish');
  await done(act(jia, id, 'material', { materials: [{ name: '水泵', qty: 1, price: 9999 }] }));
  expect((await finish(desk, id)).msg).toContain('须先申请费用审批');
  const other = await walked(30);
  await done(finish(desk, other, { result: '已电话指导解决' }));
  expect(await get(other)).toMatchObject({ stage: 60, handler_id: jia.userId });
  await done(house.state(staff, other, 1, { remark: '没有修好' }));
  expect(await get(other)).toMatchObject({ handler_id: jia.userId });
});

test('materials added after completion must stay within the limit; the desk may replace pictures of an open order', async () => {
  const id = await walked(60);
  const dear = await act(jia, id, 'material', { materials: [{ name: '水泵', qty: 1, price: 9999 }] });
  expect(dear.msg).toContain('超过免批');
  expect((await get(id)).materials).toEqual([]);
  const open = await walked(20);
  const picture = await house.picture(desk);
  await done(act(desk, open, 'edit', { photos: [picture] }));
  expect((await get(open)).photo_files.map((file) => file.id)).toEqual([picture]);
});

test('the reporter of a merged order follows its successor, however often that is merged again', async () => {
  const [first, second, third] = [await report({}, colleague), await report(), await report()];
  const merge = (id: number, into: number) =>
    done(desk.ask(orders.merge, { params: { id }, body: { into, reason: '同一处' } as never }));
  expect((await colleague.ask(orders.get, { params: { id: second } })).code).toBe(4004);
  await merge(first, second);
  expect((await get(second, colleague)).sn).toBeTruthy();
  await merge(second, third);
  expect((await get(third, colleague)).sn).toBeTruthy();
  expect((await house.stranger.ask(orders.get, { params: { id: third } })).code).toBe(4004);
});

test('an unaccepted and an unfinished order count as overdue once their time is past', async () => {
  const own = await house.category();
  const [kept, missed, open] = [
    await walked(30, { category_id: own }),
    await walked(10, { category_id: own }),
    await walked(30, { category_id: own }),
  ];
  expect(kept).toBeGreaterThan(0);
  await sql(`update repair_order set response_due = now() - interval '1 hour' where id = $1`, [missed]);
  await sql(`update repair_order set finish_due = now() - interval '1 hour' where id = $1`, [open]);
  const page = (await desk.get(orderStatistics.call, { query: { category_id: own } as never })) as unknown as {
    value: { by_category: { response_rate: number; finish_rate: number }[] };
  };
  expect(page.value.by_category[0]).toMatchObject({ response_rate: 66.7, finish_rate: 0 });
});
