import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { codes } from '#kernel/contract/refusal.ts';
import type { Client } from '#apps/server/testing.ts';
import { meetCalls } from './contract/meetings.ts';
import { codeOld, notAskedTo, notOnList } from './contract/refusals.ts';
import { signing } from './contract/signing.ts';
import { signCodes } from './held/sign-code.ts';
import { attendeeTable } from './tables.ts';
import { openMeetings } from './testing/house.ts';
import { timesOf } from './testing/passing.ts';

let house: Awaited<ReturnType<typeof openMeetings>>;
let times: ReturnType<typeof timesOf>;
beforeAll(async () => {
  house = await openMeetings();
  times = timesOf(house);
});
afterAll(() => house.office.close());

const device = (name: string) => `device-of-${name}-0000`;
const audience = (...people: Client[]) => ({ users: people.map((one) => one.userId) });
const codesOf = () => signCodes(house.office.services.secret);
/** A meeting that began a moment ago, or begins later, with a renewed code. */
async function running(more: object = {}, minutes = -1) {
  const id = await house.meet({
    location: '操场',
    sign_mode: 2,
    audience: audience(house.staff, house.colleague, house.librarian),
    ...more,
  });
  await times.begin(id, minutes);
  return id;
}
const sign = (who: Client, id: number, body: object) => who.ask(signing.sign, { params: { id }, body: body as never });
const scan = (id: number, code: string, name: string) =>
  house.office.stranger.ask(signing.scan, { params: { id }, body: { code, device: device(name) } });

describe('signing in to a meeting', () => {
  test('accepts the present code and the one before, scanned or typed, and marks late people', async () => {
    const { staff, colleague, librarian } = house;
    const id = await running({}, -10);
    const now = new Date();
    const typed = codesOf().code(id, now, true).short;
    expect((await sign(colleague, id, { code: typed })).data).toMatchObject({ sign_state: 2, signed: 1 });
    const before = codesOf().code(id, new Date(now.getTime() - 30_000), true).long;
    const { data } = await scan(id, before, 'librarian');
    expect((await sign(librarian, id, { ticket: data.ticket, device: device('librarian') })).data.sign_state).toBe(2);
    // Signing in a second time has no effect.
    expect((await sign(librarian, id, { ticket: data.ticket, device: device('librarian') })).data.signed).toBe(0);
    const { value } = await staff.get(signing.code, { params: { id } });
    expect(value).toMatchObject({ signed: 2, late: 2, open: true });
    expect(value.last.map((one) => one.alias)).toContain('孙八');
    expect(value.left).toBeLessThanOrEqual(30);
    expect((await house.get(id)).meet_status).toBe(1);
  });

  test('gives no sign-in ticket for typed digits without a session, since they could be guessed', async () => {
    const id = await running();
    expect(await scan(id, codesOf().code(id, new Date(), true).short, 'guesser')).toRefuse(codeOld);
  });

  test('refuses another meeting’s code, one older than a minute, and a ticket of another device', async () => {
    const [id, other] = [await running(), await running()];
    const { colleague } = house;
    const now = new Date();
    expect(await sign(colleague, id, { code: codesOf().code(other, now, true).short })).toRefuse(codeOld);
    const old = codesOf().code(id, new Date(now.getTime() - 90_000), true);
    expect(await sign(colleague, id, { code: old.short })).toRefuse(codeOld);
    expect(await scan(id, old.long, 'colleague')).toRefuse(codeOld);
    const { data } = await scan(id, codesOf().code(id, now, true).long, 'colleague');
    expect(await sign(colleague, id, { ticket: data.ticket, device: device('another') })).toRefuse(codeOld);
    expect(await sign(colleague, other, { ticket: data.ticket, device: device('colleague') })).toRefuse(codeOld);
  });

  test('marks a second account used on the same device', async () => {
    const id = await running();
    const { colleague, librarian, staff } = house;
    for (const who of [colleague, librarian]) {
      const { data } = await scan(id, codesOf().code(id, new Date(), true).long, 'shared');
      expect((await sign(who, id, { ticket: data.ticket, device: device('shared') })).code).toBe(codes.ok);
    }
    const attendees = (await staff.get(meetCalls.get, { params: { id } })).value.attendees!;
    const marked = attendees.filter((one) => one.same_device).map((one) => one.user_info.id);
    expect(marked.toSorted()).toEqual([colleague.userId, librarian.userId].toSorted());
  });

  test('is open to those invited during its time, and a substitute signs in for the person', async () => {
    const { stranger, colleague, staff, librarian, worker } = house;
    const later = await running({}, 120);
    expect((await sign(colleague, later, { code: codesOf().code(later, new Date(), true).short })).code).toBe(
      codes.notNow,
    );
    const id = await running({ is_public: true });
    expect(await sign(stranger, id, { code: codesOf().code(id, new Date(), true).short })).toRefuse(notOnList);
    await house.office.services.databases.write((tx) =>
      tx
        .update(attendeeTable)
        .set({ reply: 3, substitute_id: worker.userId, substitute_state: 1 })
        .where(eq(attendeeTable.user_id, librarian.userId)),
    );
    expect((await sign(worker, id, { code: codesOf().code(id, new Date(), true).short })).code).toBe(codes.ok);
    const attendees = (await staff.get(meetCalls.get, { params: { id } })).value.attendees!;
    expect(attendees.find((one) => one.user_info.id === librarian.userId)?.sign_state).toBe(1);
  });

  test('by hand is done by those who run the meeting, and records whose hand it was', async () => {
    const id = await running({ sign_mode: 3 });
    const { colleague, librarian, staff } = house;
    expect((await sign(colleague, id, { users: [librarian.userId] })).code).toBe(codes.forbidden);
    expect((await sign(staff, id, { users: [librarian.userId] })).data.signed).toBe(1);
    const rows = await house.office.db.select().from(attendeeTable).where(eq(attendeeTable.meet_id, id));
    expect(rows.find((one) => one.user_id === librarian.userId)).toMatchObject({
      sign_method: 3,
      signed_by: staff.userId,
    });
  });

  test('by hand is limited to those invited, and a repeated sign-in says that the person is already there', async () => {
    const id = await running();
    const { colleague, staff, stranger } = house;
    expect(await sign(staff, id, { users: [colleague.userId, stranger.userId] })).toRefuse(notAskedTo, ['外人']);
    expect(await sign(staff, id, { guests: [9999] })).toRefuse(notAskedTo, ['1 位校外人员']);
    const code = codesOf().code(id, new Date(), true).short;
    const answers = await Promise.all(Array.from({ length: 4 }, () => sign(colleague, id, { code })));
    expect(answers.map(({ data }) => data.sign_state)).toEqual([1, 1, 1, 1]);
    expect(answers.map(({ data }) => data.signed).toSorted()).toEqual([0, 0, 0, 1]);
    expect(answers.every(({ data }) => data.sign_time !== null)).toBe(true);
  });

  test('early keeps the room but does not begin the meeting, which can still be answered, moved and cancelled', async () => {
    const id = await running({ sign_before_min: 60 }, 30);
    const { colleague, librarian, staff } = house;
    expect((await sign(colleague, id, { code: codesOf().code(id, new Date(), true).short })).data.sign_state).toBe(1);
    const { meet_status, actual_start, actions } = await house.get(id);
    expect([meet_status, actual_start]).toEqual([0, null]);
    expect(actions).toEqual(expect.arrayContaining(['revise', 'cancel']));
    expect(actions).not.toContain('end');
    const soon = await staff.ask(signing.end, { params: { id }, body: {} });
    expect(soon.code, soon.msg).not.toBe(codes.ok);
    const answer = await librarian.ask(meetCalls.reply, {
      params: { id },
      body: { reply: 2, reason: '出差' } as never,
    });
    expect(answer.code, answer.msg).toBe(codes.ok);
    await house.office.services.databases.write((tx) =>
      tx.execute(sql`update meet set start_time = now() - interval '1 minute' where id = ${id}`),
    );
    expect((await house.get(id)).actions).toContain('end');
    const ended = await staff.ask(signing.end, { params: { id }, body: {} });
    expect(ended.code, ended.msg).toBe(codes.ok);
  });

  test('lets three hundred people behind one network address in within a minute', { timeout: 300_000 }, async () => {
    const people = await Promise.all(
      Array.from({ length: 300 }, async (_one, at) => house.office.person({ alias: `听众${at}`, roles: ['staff'] })),
    );
    const clients = await Promise.all(people.map((one) => house.office.signIn(one)));
    const room = await house.room({ capacity: 400 });
    const id = await running({ audience: audience(...clients), room_id: room });
    const answers = await Promise.all(
      clients.map(async (who, at) => {
        const { data } = await scan(id, codesOf().code(id, new Date(), true).long, `hall${at}`);
        return sign(who, id, { ticket: data.ticket, device: device(`hall${at}`) });
      }),
    );
    expect(answers.filter((one) => one.code === codes.ok)).toHaveLength(300);
    const { value } = await house.staff.get(signing.code, { params: { id } });
    expect(value.signed).toBe(300);
  });
});
