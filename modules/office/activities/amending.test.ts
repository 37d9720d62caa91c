import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { photos } from '#modules/services/photos/contract/photos.ts';
import { jpegOf } from '#modules/services/photos/testing/scene.ts';
import { noPhotos } from './contract/refusals.ts';
import { activityCalls, at, calls, openHouse } from './testing/house.ts';

const house = await openHouse();
const { app, staff, office, safety, stranger, colleague, librarian, elsewhere } = house;
afterAll(() => app.close());
const amend = (id: number, body: object) => staff.ask(calls.update, { params: { id }, body: body as never });
const fieldsOf = (answer: { data: unknown }) =>
  (answer.data as { errors: { field: string }[] }).errors.map((one) => one.field);
const large = async () => ({
  safety_plan: await house.upload(staff),
  safety_officer: staff.userId,
  safety_phone: '8002',
  in_count: 201,
});

describe('an amendment of an activity', () => {
  test('cannot empty a field that the rules require, neither before nor after the security office agreed', async () => {
    const waiting = (await house.declared(await large())).id;
    const agreed = await house.approved(await large());
    for (const id of [waiting, agreed]) {
      const refused = await amend(id, { safety_officer: null, safety_phone: '', phone: '' });
      expect(refused.code).toBe(codes.invalid);
      expect(fieldsOf(refused).toSorted()).toEqual(['phone', 'safety_officer', 'safety_phone']);
      expect(await house.get(id)).toMatchObject({ safety_officer: staff.userId, safety_phone: '8002', phone: '8001' });
    }
    // Fields that no rule asks for may be emptied.
    const small = await house.approved({ safety_officer: staff.userId, safety_phone: '8002' });
    expect((await amend(small, { safety_officer: null, safety_phone: '' })).code).toBe(codes.ok);
    await expect(
      app.services.databases.pool.query('update activity set safety_officer = null where id = $1', [agreed]),
    ).rejects.toThrow('activity_safety');
  });

  test('that names a field of the approval is refused by that name, and changes nothing', async () => {
    const id = await house.approved({ title: '批过的标题' });
    const { version } = await house.get(id);
    const refused = await amend(id, { title: '改名', phone: '8009' });
    expect([refused.code, refused.msg]).toEqual([codes.invalid, expect.stringContaining('title')]);
    expect(await house.get(id)).toMatchObject({ title: '批过的标题', version });
  });

  test('of the person responsible for safety is told to the security office and the new person', async () => {
    const id = await house.approved({ ...(await large()), title: '换负责人的会' });
    expect((await amend(id, { safety_officer: colleague.userId, safety_phone: '8003' })).code).toBe(codes.ok);
    for (const who of [safety, colleague]) {
      const heard = (await who.get(messages.unread)).value.map((one) => one.title);
      expect(heard).toContain('安全负责人变更：换负责人的会');
    }
  });
});

test('an activity is declared for an own department or one that the person signs for, and by the office for any', async () => {
  const refused = await house.declare({ dept_id: elsewhere });
  expect([refused.code, fieldsOf(refused)]).toEqual([codes.invalid, ['dept_id']]);
  expect((await house.declare({ dept_id: house.dept }, stranger)).code).toBe(codes.invalid);
  expect((await house.declare({ dept_id: elsewhere }, librarian)).code).toBe(codes.ok);
  const { id } = await house.declared();
  expect((await house.again(id, { dept_id: elsewhere })).code).not.toBe(codes.ok);
  const approved = await house.approved();
  expect((await house.again(approved, { dept_id: elsewhere, reason: '换部门' })).code).toBe(codes.invalid);
  const byOffice = await house.declare({ dept_id: elsewhere }, office);
  expect(byOffice.code).toBe(codes.ok);
});

test('an activity’s summary must have photos in its album or state that there are none', async () => {
  const id = await house.approved({ start_time: at(30), end_time: at(30, '16:00') });
  await house.shift(id, -31 * 24);
  const summarise = (more: object = {}) =>
    staff.ask(activityCalls.summarise, {
      params: { id },
      body: { summary: '圆满结束', actual_in: 40, actual_out: 0, ...more },
    });
  const refused = await summarise();
  expect(refused).toRefuse(noPhotos, '读书会');
  expect(refused.msg).toContain('没有照片');
  const [album] = await house.query<{ id: number }>(
    sql`select id from photo_category where source_module = 'activities' and source_id = ${id}`,
  );
  const form = new FormData();
  form.set('module', 'photos');
  form.set('file', new Blob([new Uint8Array(await jpegOf(7))]), '现场.jpg');
  const sent = await staff.fetch('/api/file/upload/', { method: 'POST', body: form });
  const { data } = (await sent.json()) as { data: { id: number } };
  const photo = { file_id: data.id, category_id: album!.id, title: '现场', photographer: '张三' };
  await staff.get(photos.create, { body: photo as never });
  expect((await summarise()).code).toBe(codes.ok);
  const other = await house.approved({ start_time: at(60), end_time: at(60, '16:00') });
  await house.shift(other, -61 * 24);
  const without = { summary: '没有拍照', actual_in: 1, actual_out: 0, no_photos: true };
  expect((await staff.ask(activityCalls.summarise, { params: { id: other }, body: without })).code).toBe(codes.ok);
});
