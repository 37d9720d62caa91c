import { expect } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { applicationCalls as calls } from '../contract/applications.ts';
import { openSealHouse } from './seals.ts';

export { calls };
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const hour = 3_600_000;
/** A moment the given number of hours from now, to the minute. */
export const inHours = (hours: number) => momentText(new Date(Date.now() + hours * hour)).slice(0, 16);
/** The day the given number of days from now. */
export const dayIn = (days: number) => dayOf(new Date(Date.now() + days * 24 * hour));

/** A house with seals and an applicant; approval takes the head alone. */
export async function openDesk() {
  const house = await openSealHouse();
  const { app, dept, clerk, head, keeper } = house;
  const upload = async (who: Client, name = '证明.png', bytes: string | Uint8Array<ArrayBuffer> = picture) => {
    const form = new FormData();
    form.set('module', 'stamps');
    form.set('file', new Blob([bytes]), name);
    const sent = await who.fetch('/api/file/upload/', { method: 'POST', body: form });
    const { code, msg, data } = (await sent.json()) as {
      code: number;
      msg: string;
      data: { id: number; sha256: string };
    };
    if (code !== 0) throw new Error(msg);
    return data;
  };
  const seal = (more: object = {}) => house.register({ type: 6, supervisor: null, ...more });
  const body = async (seals: readonly (number | object)[], more: object = {}, who = clerk.client) => ({
    title: '在读证明',
    reason: '办理签证',
    file_kind: 4,
    copies: 2,
    no_blanks: true,
    submit: true,
    files: [(await upload(who)).id],
    lines: seals.map((one) => (typeof one === 'number' ? { stamp_id: one } : one)),
    ...more,
  });
  const apply = async (seals: readonly (number | object)[], more: object = {}, who = clerk.client) =>
    who.ask(calls.create, { body: (await body(seals, more, who)) as never });
  const get = async (id: number, who = clerk.client) => (await who.get(calls.get, { params: { id } })).value;
  const approve = async (id: number) => {
    const { ticket_id } = await get(id);
    const { code, msg } = await head.client.ask(tickets.handle, {
      params: { id: ticket_id! },
      body: { transition_id: 3, suggestion: '同意' },
    });
    if (code !== 0) throw new Error(msg);
  };
  const applied = async (...asked: Parameters<typeof apply>) => {
    const { code, msg, data } = await apply(...asked);
    if (code !== 0) throw new Error(msg);
    return (data as { id: number }).id;
  };
  /** An application and its ticket as the last agreement leaves them, whoever would have to give it. */
  const passes = (id: number) =>
    house.run(`update ticket set act_state = 4, finished_at = now() where biz_module = 'stamps' and biz_id = ${id};
      update stamp_application set act_state = 4, seal_status = 1, due_day = current_date + 9 where id = ${id};
      update stamp_line set state = 1 where application_id = ${id}`);
  /** Makes an approved application. */
  const ready = async (...asked: Parameters<typeof apply>) => {
    const id = await applied(...asked);
    await approve(id);
    return id;
  };
  const handle = async (who: Client, id: number, stamp_ids: number[], kind: string, more: object = {}) =>
    who.ask(calls.handle, {
      params: { id },
      body: { stamp_ids, kind, pictures: [await house.picture(who)], remark: '加班', ...more } as never,
    });
  /** Taken out for a number of hours, from now on. */
  const trip = (from: number, until: number) => ({
    use_type: 2,
    borrow_start: inHours(from),
    borrow_end: inHours(until),
    borrow_place: '市政务中心',
    escort: house.other.username,
  });
  const handOver = async (id: number, stamp: number, who = keeper.client) =>
    handle(who, id, [stamp], 'hand_over', { signature: (await upload(who, '签名.png')).id });
  return {
    ...house,
    dept,
    upload,
    seal,
    body,
    apply,
    applied,
    approve,
    passes,
    ready,
    get,
    handle,
    trip,
    handOver,
    giveTo: house.handOver,
    titles: async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title),
    /** Another applicant of the same department. */
    staff: async (alias: string) => {
      const person = await app.person({ alias, roles: ['staff'], dept });
      return { ...person, client: await app.signIn(person) };
    },
    line: async (id: number, stamp: number, who = clerk.client) =>
      (await get(id, who)).lines.find((one) => one.stamp_id === stamp)!,
    expectOk: (answer: { code: number; msg: string }) => expect(answer, answer.msg).toMatchObject({ code: 0 }),
  };
}
