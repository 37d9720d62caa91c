import { expect } from 'vitest';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { waiting as waitingCalls } from '#modules/platform/waits/contract.ts';
import { dutyCalls as calls, type Shift } from '../contract.ts';

/** A school with a team of six, whose clerk keeps the plan 总值班; each test has a fortnight of its own. */
export async function openDuty() {
  const school = await openSchool();
  const { clerk, principal, stranger: outsider } = school;
  const team = await Promise.all(['甲', '乙', '丙', '丁', '戊', '己'].map((name) => school.hire(`值班${name}`)));
  const today = dayOf(new Date());
  let serial = 0;
  const house = { from: today, plan: 0 };
  const next = () => (house.from = dayAfter(today, 3 + 20 * serial++));

  const run = (work: Parameters<typeof school.office.services.databases.write>[0]) =>
    school.office.services.databases.write(work);
  const execute = async <T extends Record<string, unknown>>(text: ReturnType<typeof sql>) =>
    (await school.office.db.execute<T>(text)).rows;
  const pool = (...people: Client[]) => ({ all: false, depts: [], roles: [], users: people.map((one) => one.userId) });
  const newPlan = async (name: string, more: object = {}, who = clerk) =>
    (
      await who.get(calls.addPlan, {
        body: {
          name,
          lead: pool(principal),
          staff: pool(...team),
          phone: '8110',
          confirms: false,
          ...more,
        },
      })
    ).id!;
  const make = (more: object = {}, who = clerk) =>
    who.ask(calls.make, {
      body: { plan_id: house.plan, from: house.from, to: dayAfter(house.from, 13), ...more },
    });
  const days = async (who: Client, of = house.from, to = dayAfter(of, 13)) => {
    const months = [...new Set([of.slice(0, 7), to.slice(0, 7)])];
    const all = await Promise.all(months.map((month) => who.get(calls.roster, { query: { month } })));
    return all.flatMap((one) => one.days).filter((one) => one.day >= of && one.day <= to);
  };
  const shifts = async (who: Client, name = '总值班'): Promise<Shift[]> =>
    (await days(who)).flatMap((one) => one.shifts).filter((one) => one.name === name);
  const publish = async (force = false) => {
    for (const month of new Set([house.from.slice(0, 7), dayAfter(house.from, 13).slice(0, 7)]))
      await clerk.ask(calls.publish, { body: { month, force } });
  };
  const ready = async (more: object = {}) => {
    expect(await make(more)).toMatchObject({ code: 0 });
    await publish(true);
    return shifts(clerk);
  };
  const staffOf = (shift: Shift) => shift.people.find((one) => one.post === 2)!;
  const clientOf = (shift: Shift) => team.find((one) => one.userId === staffOf(shift).id)!;
  /** Uploads a picture for a log; returns its id. */
  const picture = async (who: Client): Promise<number> => {
    const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#88a' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('module', 'duty');
    form.set('file', new Blob([new Uint8Array(bytes)]), '现场.png');
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await sent.json()) as { data: { id: number } }).data.id;
  };
  const get = (who: Client, id: number) => who.get(calls.get, { params: { id } });
  const swap = (who: Client, id: number, body: object) =>
    who.ask(calls.swap, { params: { id }, body: { reason: '家中有事', ...body } as never });
  const answer = (who: Client, id: number, act: string) =>
    who.ask(calls.answerSwap, { params: { id }, body: { act } as never });
  const told = async (who: Client) =>
    (await who.get(messages.unread, { query: { per_page: 100 } })).value.map((one) => one.title);
  const waiting = async (who: Client) =>
    (await who.get(waitingCalls.list, { query: { per_page: 100 } })).value.flatMap((row) =>
      row.page.startsWith('leader/duty') ? row.title : [],
    );
  /** Somebody of the team who is free for a shift by the roster. */
  const freeFor = (shift: Shift, all: readonly Shift[]) => {
    const near = (other: Shift) => Math.abs(Date.parse(other.day) - Date.parse(shift.day)) <= 2 * 86_400_000;
    return team.find(
      (one) => !all.some((other) => near(other) && other.people.some((person) => person.id === one.userId)),
    )!;
  };
  /** Moves a shift so that it begins in the given number of minutes, and ends shifts that other tests began. */
  const beginsIn = async (id: number, minutes: number, length = 40) => {
    await run(async (tx) => {
      await tx.execute(sql`create temp table moved on commit drop as select * from duty_person where shift_id = ${id}`);
      const from = sql`now() + ${minutes} * interval '1 minute'`;
      const to = sql`now() + ${minutes + length} * interval '1 minute'`;
      await tx.execute(
        sql`delete from duty_person where shift_id = ${id} or tstzrange(start_time, end_time) && tstzrange(${from}, ${to})`,
      );
      await tx.execute(sql`update duty_shift set start_time = ${from}, end_time = ${to} where id = ${id}`);
      await tx.execute(
        sql`insert into duty_person select shift_id, user_id, post, s.start_time, s.end_time, source, why, null from moved join duty_shift s on s.id = shift_id`,
      );
    });
  };

  house.plan = await newPlan('总值班');
  return {
    picture,
    school,
    clerk,
    principal,
    outsider,
    team,
    today,
    house,
    next,
    run,
    execute,
    pool,
    newPlan,
    make,
    days,
    shifts,
    publish,
    ready,
    staffOf,
    clientOf,
    get,
    swap,
    answer,
    told,
    waiting,
    freeFor,
    beginsIn,
  };
}
