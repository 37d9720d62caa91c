import { expect } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { momentText } from '#kernel/contract/moment.ts';
import type { Answer, Client } from '#apps/server/testing.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { opinions, progress, requests, sheets } from '../contract/hung.ts';
import { items, subs } from '../contract/supervise.ts';

/** A moment so many days after another, now unless told, as `YYYY-MM-DD HH:mm`. */
export const dueIn = (days: number, from = Date.now()) => momentText(new Date(from + days * 864e5)).slice(0, 16);

/** A school with a clerk who supervises; `other` belongs to a separate department. */
export async function openSupervision() {
  const opened = Date.now();
  /** Counts from when the house was opened, so that a test names the same moment twice whatever minute it is. */
  const inDays = (days: number) => dueIn(days, opened);
  const school = await openSchool();
  const { office: app, dept, elsewhere, principal, staff, head, librarian, stranger, hire } = school;
  const clerk = await hire('督办员', { roles: ['supervise_admin'] });
  const sql = (text: string, values: unknown[] = []) => app.services.databases.pool.query(text, values);

  const sub = (more: object = {}) => ({
    title: '整改宿舍线路',
    owner: staff.userId,
    dept,
    due_at: inDays(20),
    ...more,
  });
  const input = (more: object = {}) => ({
    title: '宿舍安全整改',
    source: 2,
    content: '会议决定整改宿舍电路',
    requirement: '按期完成',
    lead_dept: dept,
    due_at: inDays(30),
    subs: [sub()],
    ...more,
  });
  const create = async (more: object = {}, who: Client = clerk) =>
    (await who.get(items.create, { body: input(more) as never })).id;
  const issue = (id: number, who: Client = clerk) => who.ask(items.issue, { params: { id }, body: {} });
  const get = async (id: number, who: Client = clerk) => (await who.get(items.get, { params: { id } })).value;
  /** A running item, with the ids of its parts. */
  const run = async (more: object = {}) => {
    const id = await create(more);
    expect((await issue(id)).msg).toContain('已完成');
    return { id, subs: (await get(id)).subs.map((one) => one.id) };
  };
  const report = (sub_id: number, percent: number, more: object = {}, who: Client = staff) =>
    who.ask(progress.report, {
      body: { sub_id, percent, content: '做了一些', is_finish: percent === 100, ...more },
    });
  const check = (id: number, result: 1 | 2 = 1, who: Client = clerk) =>
    who.ask(progress.check, { params: { id }, body: { result, opinion: result === 2 ? '请补充' : '' } });
  /** Reports a percent and accepts it. */
  const reach = async (sub_id: number, percent: number, more: object = {}, who: Client = staff) => {
    const reported = await report(sub_id, percent, more, who);
    expect(reported.msg).toContain('已反馈');
    expect((await check(reported.data.id)).code).toBe(0);
  };
  const put = <C extends Call>(who: Client, call: C, id: number, body: object = {}): Promise<Answer<C>> =>
    who.ask(call, { params: { id }, body } as never);
  const part = async (id: number, who: Client = clerk) => (await who.get(subs.get, { params: { id } })).value;
  const news = async (who: Client, words: string) =>
    (await who.get(messages.read, { query: { all: true, search_value: words, per_page: 100 } })).value;
  return {
    ...school,
    app,
    clerk,
    inDays,
    sql,
    sub,
    input,
    create,
    issue,
    get,
    run,
    report,
    check,
    reach,
    put,
    part,
    news,
    dept,
    elsewhere,
    principal,
    head,
    librarian,
    stranger,
    items,
    subs,
    progress,
    requests,
    sheets,
    opinions,
  };
}
