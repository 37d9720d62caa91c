import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { notify } from '#kernel/server/live/bus.ts';
import type { FileCard } from '#modules/platform/files/contract.ts';
import { tickets } from './contract.ts';

const form = {
  title: '水管漏水',
  category: 'network',
  place: '一号楼 301',
  urgency: 'urgent',
  description: '洗手池',
};
const [save, submit, headAgrees, finish] = [1, 2, 3, 7];

let app: TestOffice;
let picture: Buffer;
let repair: number;
let staff: Client;
let head: Client;
let worker: Client;
let stranger: Client;
let viewer: Client;

beforeAll(async () => {
  const school = await openSchool();
  ({ office: app, staff, head, worker, stranger } = school);
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  viewer = await app.clerk({ 'ticket/all': ['Retrieve'] });
  repair = await school.flowOf('it_service');
});
afterAll(() => app.close());

async function sends(who: Client, name = '现场.png', bytes = picture, module = 'tickets'): Promise<FileCard> {
  const sent = new FormData();
  sent.set('module', module);
  sent.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await who.fetch('/api/file/upload/', { method: 'POST', body: sent });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: FileCard };
  if (code !== 0) throw new Error(msg);
  return data;
}
const begin = (fields: object, transition_id = submit) =>
  staff.ask(tickets.start, { body: { workflow_id: repair, transition_id, ...form, ...fields } });
const does = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } });
const field = async (who: Client, id: number, key: string) =>
  (await who.get(tickets.get, { params: { id } })).value.field_list.find((item) => item.field_key === key);
/** Returns 0 if the file is delivered, else the code of the refusal. */
async function reads(who: Client, fileId: number): Promise<number> {
  const response = await who.fetch(`/api/file/${fileId}/`);
  if (response.headers.get('content-type')?.startsWith('image/')) return 0;
  return ((await response.json()) as { code: number }).code;
}

test('a user’s own upload is attached to a ticket and can be opened by everybody who sees its field', async () => {
  const file = await sends(staff);
  const { data } = await begin({ photos: [file.id] });
  const item = (await field(head, data.id, 'photos'))!;
  expect(item.field_value).toEqual([file.id]);
  expect(item.field_files).toMatchObject([{ id: file.id, name: '现场.png', mime: 'image/png', size: file.size }]);
  const shown = await app.stranger.fetch(item.field_files[0]!.url);
  expect(shown.headers.get('content-type')).toBe('image/png');
  expect([await reads(staff, file.id), await reads(head, file.id)]).toEqual([0, 0]);
});

test('an attachment is refused at its field when the upload is another person’s, for another purpose, or missing', async () => {
  const foreign = await sends(stranger);
  const avatar = await sends(staff, '头像.png', picture, 'people');
  for (const id of [foreign.id, avatar.id, 999_999]) {
    const answer = await begin({ photos: [id] });
    expect([answer.code, answer.msg]).toEqual([4000, '图片：所选文件已失效或不属于您，请重新上传']);
  }
  expect(await reads(stranger, foreign.id)).toBe(0);
  const taken = await sends(staff);
  expect((await begin({ photos: [taken.id] })).code).toBe(0);
  expect((await begin({ photos: [taken.id] })).code).toBe(4000);
});

test('a person who does not see a ticket cannot open its files', async () => {
  const file = await sends(staff);
  await begin({ photos: [file.id] });
  expect([await reads(stranger, file.id), await reads(app.stranger, file.id)]).toEqual([4004, 401]);
});

test('a reader of a ticket cannot open a file of a field that is hidden from them', async () => {
  const file = await sends(staff);
  const { data } = await begin({ photos: [file.id] });
  expect((await viewer.get(tickets.get, { params: { id: data.id } })).value.id).toBe(data.id);
  expect(await field(viewer, data.id, 'photos')).toBeUndefined();
  expect(await reads(viewer, file.id)).toBe(4004);

  await does(head, data.id, headAgrees);
  await worker.ask(tickets.accept, { params: { id: data.id }, body: {} });
  const after = await sends(worker);
  const smuggled = await does(worker, data.id, finish, { result: '换了', result_photos: [file.id] });
  expect([smuggled.code, smuggled.msg]).toEqual([4000, expect.stringContaining('只能放在一处')]);
  expect((await does(worker, data.id, finish, { result: '换了', result_photos: [after.id] })).code).toBe(0);
  expect([await reads(worker, after.id), await reads(head, after.id), await reads(staff, after.id)]).toEqual([
    0, 4004, 4004,
  ]);
});

test('the address of a file stops opening it when its person leaves or may no longer see the file', async () => {
  const file = await sends(staff);
  const { data } = await begin({ photos: [file.id] });
  const { url } = (await field(head, data.id, 'photos'))!.field_files[0]!;
  const opens = async () => (await app.stranger.fetch(url)).headers.get('content-type');
  const { write } = app.services.databases;
  const works = (there: boolean) =>
    write(async (tx) => {
      await tx.execute(sql`update app_user set is_active = ${there} where id = ${head.userId}`);
      await notify(tx, 'rights', String(head.userId));
    });
  expect(await opens()).toBe('image/png');
  await works(false);
  await eventually(async () => expect(await opens()).toContain('json'));
  await works(true);
  await eventually(async () => expect(await opens()).toBe('image/png'));
  expect(await opens()).toBe('image/png');
  const away = sql`update ticket_task set assignee_id = ${worker.userId} where ticket_id = ${data.id}`;
  await write((tx) => tx.execute(sql`${away} and assignee_id = ${head.userId}`));
  expect(await opens()).toContain('json');
});

test('a file removed from the form is deleted, and the other files stay', async () => {
  const [first, second] = [await sends(staff), await sends(staff)];
  const { data } = await begin({ photos: [first.id, second.id] }, save);
  expect((await does(staff, data.id, save, { photos: [second.id] })).code).toBe(0);
  expect([await reads(staff, first.id), await reads(staff, second.id)]).toEqual([4004, 0]);
  const third = await sends(stranger);
  expect((await does(staff, data.id, save, { photos: [third.id] })).code).toBe(4000);
  expect(await reads(staff, second.id)).toBe(0);
});
