import { afterAll, expect, test } from 'vitest';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { calendar } from '#modules/office/meetings/contract/calendar.ts';
import { feeds } from '#modules/platform/feeds/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { templates } from '#modules/workflow/workflows/engine/gallery/templates.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { addFlow } from './testing/flow.ts';

const school = await openSchool();
const { staff, colleague, head, leader, stranger, begin, approve } = school;
afterAll(() => school.office.close());

const today = dayOf(new Date());
// A fortnight holds working days in every week of the year, and more than three of them, so that the leader agrees, too.
const [from, to] = [dayAfter(today, -10), dayAfter(today, 10)];
const leave = async (who: Client, more: object = {}) => {
  const { id } = await begin(who, 'leave', { kind: 'annual', from, to, reason: '休年假', ...more });
  return id;
};
const back = (who: Client, id: number, day: string, more: object = {}) =>
  who.ask(ticketActions.endLeave, { params: { id }, body: { day, ...more } });
/** The errors of a refused day. */
const wrong = async (who: Client, id: number, day: string, more: object = {}) => {
  const { data } = await back(who, id, day, more);
  return (data as unknown as { errors: { field: string; msg: string }[] }).errors
    .map(({ field, msg }) => `${field} ${msg}`)
    .join();
};
const codesOf = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value.actions;
/** Times at which somebody is busy, as whoever plans a meeting sees them. */
const busy = async ({ userId }: Client) => {
  const asked = { users: [userId], start_time: `${dayAfter(from, -1)} 00:00`, end_time: `${dayAfter(to, 2)} 00:00` };
  const { value } = await colleague.get(calendar.busy, { body: asked });
  return value[0]!.busy.map(({ start_time, end_time }) => [start_time, end_time]);
};
const inCalendar = async (who: Client) => {
  const { value } = await who.get(feeds.mine, { query: { start: from, end: to } });
  return value.filter(({ key }) => key === 'leave').map(({ start, end }) => [start, end]);
};
const heard = async (who: Client) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value
    .map(({ title }) => title)
    .filter((title) => title.includes('返岗'));

test('a person who returns early from leave is available from that half day, and approvers and copied people are told', async () => {
  const id = await leave(staff);
  expect((await codesOf(staff, id)).includes('end_leave'), 'nobody is away before it is agreed to').toBe(false);
  await approve(id);
  await staff.get(ticketActions.cc, { params: { id }, body: { target_username: [colleague.username] } as never });
  expect(await busy(staff)).toEqual([[`${from} 00:00:00`, `${dayAfter(to, 1)} 00:00:00`]]);
  expect(await inCalendar(staff)).toEqual([[from, to]]);
  expect(await back(staff, id, today, { suggestion: '事情办完了' })).toMatchObject({ code: 0 });
  expect(await busy(staff)).toEqual([[`${from} 00:00:00`, `${today} 00:00:00`]]);
  expect(await inCalendar(staff)).toEqual([[from, dayAfter(today, -1)]]);
  for (const who of [head, leader, colleague])
    expect(await heard(who)).toEqual([expect.stringContaining(`张三 已于 ${today} 上午提前返岗`)]);
  expect(await heard(staff)).toEqual([]);
  const { value } = await head.get(tickets.get, { params: { id } });
  expect([value.back_at, value.act_state_name]).toEqual([`${today} 00:00:00`, '已通过']);
  const { value: log } = await head.get(tickets.flowlogs, { params: { id }, query: { per_page: 100 } });
  const row = log.find(({ action }) => action === 'end_leave')!;
  expect([row.transition.transition_name, row.suggestion]).toEqual(['销假', `${today} 上午返岗：事情办完了`]);
  const again = await back(staff, id, today);
  expect([again.code, again.msg]).toEqual([4010, `已经销假，${today} 上午返岗；填错的，请联系流程管理员`]);
});

test('leave is ended early only by its own person, after it began and at a half day within it', async () => {
  const id = await leave(colleague, { from_half: 'pm', to_half: 'am' });
  await approve(id);
  const late = await leave(colleague, { from: dayAfter(today, 30), to: dayAfter(today, 50) });
  await approve(late);
  expect((await codesOf(colleague, late)).includes('end_leave'), 'leave to come is not ended').toBe(false);
  expect((await back(colleague, late, today)).msg).toContain('已经开始的请假才能销假');
  for (const who of [head, leader]) {
    expect((await codesOf(who, id)).includes('end_leave')).toBe(false);
    expect((await back(who, id, today)).msg).toBe('销假由请假的本人办理，请联系本人');
  }
  expect((await back(stranger, id, today)).code).toBe(4004);
  const early = `请假从 ${from} 下午开始，返岗不能早于开始`;
  expect(await wrong(colleague, id, dayAfter(from, -1))).toContain(`day ${early}`);
  expect(await wrong(colleague, id, from), 'the morning before').toContain(early);
  expect(await wrong(colleague, id, to, { half: 'pm' })).toContain(`请假到 ${to} 12:00 为止，按时返岗的不用销假`);
  expect(await wrong(colleague, id, dayAfter(today, 2))).toContain(
    `${dayAfter(today, 2)} 上午还没有到，请回来后再销假`,
  );
  expect((await back(colleague, id, 'morgen')).code).toBe(4000);
  expect(await busy(colleague)).toEqual([[`${from} 12:00:00`, `${to} 12:00:00`]]);
  expect((await back(colleague, id, dayAfter(today, -1), { half: 'pm' })).code).toBe(0);
  expect(await busy(colleague)).toEqual([[`${from} 12:00:00`, `${dayAfter(today, -1)} 12:00:00`]]);
});

test('leave that is ended at its very beginning counts nowhere, and a ticket that is not leave cannot be ended early', async () => {
  const who = await school.hire('钱七');
  const id = await leave(who);
  await approve(id);
  expect((await back(who, id, from)).code).toBe(0);
  expect([await busy(who), await inCalendar(who)]).toEqual([[], []]);
  const { id: other } = await begin(who, 'it_service', {
    title: '路灯',
    category: 'network',
    place: '一号楼',
    urgency: 'urgent',
    description: '不亮',
    amount: 1,
  });
  expect((await codesOf(who, other)).includes('end_leave')).toBe(false);
  expect((await back(who, other, today)).code).toBe(4010);
});

test('leave that an administrator reopens is decided anew, and the recorded early return is cleared', async () => {
  const who = await school.hire('周九');
  const id = await leave(who);
  await approve(id);
  expect((await back(who, id, today)).code).toBe(0);
  const reopened = await school.office.admin.ask(ticketActions.state, {
    params: { id },
    body: { state_id: 2, target_username: [head.username], suggestion: '日期填错了' } as never,
  });
  expect(reopened.code).toBe(0);
  expect((await who.get(tickets.get, { params: { id } })).value.back_at).toBeNull();
  await approve(id);
  expect((await codesOf(who, id)).includes('end_leave')).toBe(true);
});

/** Publishes a flow of the gallery as it is; returns its id. */
const ofGallery = (key: string) => addFlow(school.office, key, templates.find((one) => one.key === key)!.definition);

test('an approved trip marks its person away until it ends or they return, and an outing marks them away for its hours', async () => {
  const who = await school.hire('吴十');
  const trip = { place: '苏州', from, to, by: 'train', budget: 800, reason: '参加会议' };
  const { id } = await begin(who, await ofGallery('trip'), trip);
  expect(await busy(who), 'nobody is away before it is agreed to').toEqual([]);
  await approve(id);
  expect(await busy(who)).toEqual([[`${from} 00:00:00`, `${dayAfter(to, 1)} 00:00:00`]]);
  expect((await who.get(tickets.get, { params: { id } })).value.away_name).toBe('出差');
  const seenBy = async (viewer: Client) => {
    const asked = { users: [who.userId], start_time: `${from} 00:00`, end_time: `${dayAfter(to, 1)} 00:00` };
    return (await viewer.get(calendar.busy, { body: asked })).value[0]!.busy.map(({ label }) => label);
  };
  expect([await seenBy(who), await seenBy(colleague)]).toEqual([['出差'], ['有安排']]);
  expect((await back(head, id, today)).msg).toBe('销假由出差的本人办理，请联系本人');
  expect(await wrong(who, id, dayAfter(from, -1))).toContain(`day 出差从 ${from} 上午开始，返岗不能早于开始`);
  expect((await back(who, id, today)).code).toBe(0);
  const hours = [`${dayAfter(today, 4)} 14:00:00`, `${dayAfter(today, 4)} 16:30:00`] as const;
  const outing = { place: '区教育局', from: hours[0].slice(0, 16), to: hours[1].slice(0, 16), reason: '送材料' };
  const { id: out } = await begin(who, await ofGallery('outing'), outing);
  await approve(out);
  expect(await busy(who)).toEqual([[`${from} 00:00:00`, `${today} 00:00:00`], [...hours]]);
  expect(await inCalendar(who)).toEqual([[from, dayAfter(today, -1)], [...hours]]);
  const { value } = await who.get(feeds.mine, { query: { start: from, end: to } });
  expect(value.filter(({ key }) => key === 'leave').map(({ title }) => title)).toEqual(['出差', '外出']);
  expect((await codesOf(who, out)).includes('end_leave')).toBe(false);
  expect((await back(who, out, today)).msg).toBe('外出到返回时间自动结束，不用销假');
});

test('a form that counts working days for another purpose marks nobody away', async () => {
  const { definition } = templates.find((one) => one.key === 'leave')!;
  const fields = definition.fields.map(({ away: _away, ...field }) => field);
  const settings = { ...definition.settings, number_rule: { prefix: 'PX', digits: 4, period: 'day' as const } };
  const flow = await addFlow(school.office, 'course', { ...definition, name: '培训计划', fields, settings });
  const who = await school.hire('郑一');
  const { id } = await begin(who, flow, { kind: 'annual', from, to, reason: '备课' });
  await approve(id);
  expect([await busy(who), await inCalendar(who)]).toEqual([[], []]);
  expect((await codesOf(who, id)).includes('end_leave')).toBe(false);
});
