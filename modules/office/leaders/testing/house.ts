import { appoint, openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { dayAfter, dayOf, mondayOf } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { secretaryTable } from '#modules/platform/people/tables.ts';
import { leaders as calls } from '../contract.ts';

export { calls };
/** A day of the next week, so that nothing has begun; 1 is Monday. */
export const nextWeek = (weekday: number) => dayAfter(mondayOf(dayOf(new Date())), 6 + weekday);
export const at = (weekday: number, hour: string) => `${nextWeek(weekday)} ${hour}`;

/** A school with two leaders and their secretaries, and people who propose, approve and only read. */
export async function openLeaders() {
  const school = await openSchool({}, { principal: '前任校长' });
  const { office: app, hire, approve } = school;
  const unit = await app.dept('学生处');
  const principal = await hire('陈校长', { roles: ['xld'] });
  const head = await app.signIn(await app.person({ alias: '李处长', dept: unit, roles: ['staff', 'dept_fzr'] }));
  await appoint(app, unit, { leader: head });
  const vice = await hire('刘副校长', { roles: ['xld'] });
  const secretary = await hire('钱秘书', { roles: ['secretary'] });
  const colleague = await hire('孙秘书', { roles: ['secretary'] });
  await app.services.databases.write((tx) =>
    tx.insert(secretaryTable).values([
      { secretary_id: secretary.userId, leader_id: principal.userId },
      { secretary_id: colleague.userId, leader_id: vice.userId },
    ]),
  );
  const body = (more: object = {}) => ({
    leaders: [principal.username],
    title: '听取教务处汇报',
    start_time: at(2, '09:00'),
    end_time: at(2, '10:00'),
    address: '行政楼 301',
    submit: true,
    ...more,
  });
  const write = (who: Client, more: object = {}) => who.ask(calls.create, { body: body(more) });
  const written = async (who: Client, more: object = {}) => {
    const { code, msg, data } = await write(who, more);
    if (code !== 0) throw new Error(msg);
    return data as { id: number; ticket_id: number; act_state: number };
  };
  return {
    ...school,
    app,
    principal,
    head,
    vice,
    secretary,
    colleague2: colleague,
    write,
    written,
    approve,
    get: async (who: Client, id: number) => (await who.get(calls.get, { params: { id } })).value,
    codeOf: async (who: Client, id: number) => (await who.ask(calls.get, { params: { id } })).code,
    board: (who: Client, date = nextWeek(1)) => who.get(calls.board, { query: { date } }),
    edit: (who: Client, id: number, more: object) => who.ask(calls.edit, { params: { id }, body: more }),
    titles: async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title),
  };
}
