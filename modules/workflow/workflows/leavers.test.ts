import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { designCalls } from './contract/design.ts';
import { participantType } from './engine/codes.ts';
import { openPublishing, type Definition } from './testing/publishing.ts';

const { app, keeper, staff, head, leader, publish, flow, close } = await openPublishing();
afterAll(close);

/** The workflow with other people at its step. */
const asking = (participants: readonly object[]) => (definition: Definition) =>
  ({
    ...definition,
    states: definition.states.map((state) => (state.key === 'approve' ? { ...state, participants } : state)),
  }) as Definition;
const write = (statement: ReturnType<typeof sql>) => app.services.databases.write((tx) => tx.execute(statement));

test('a workflow that names a leaver says so at once on its page, in its problems and to its administrators', async () => {
  const id = await flow(asking([{ type: participantType.users, users: [head.userId, leader.userId] }]));
  expect((await publish(id)).data.published).toBe(true);
  const problems = async () => (await keeper.get(designCalls.get, { params: { id } })).problems;
  expect(await problems()).toEqual([]);
  await write(sql`update app_user set is_active = false where id = ${leader.userId}`);
  const { alias } = (await write(sql`select alias from app_user where id = ${leader.userId}`)).rows[0]!;
  expect(await problems()).toEqual([
    { kind: 'state', key: 'approve', msg: `环节“审批”的办理人“${String(alias)}”已离开，请改由他人` },
  ]);
  await eventually(async () => {
    // It has no administrators of its own, so the super administrators are told.
    const { value } = await app.admin.get(messages.unread, { query: { per_page: 100 } });
    expect(value.map(({ title }) => title)).toContainEqual(expect.stringContaining(`指定的${String(alias)}已离开`));
  });
});

test('superiors up to a post are published if somebody holds the post, and refused otherwise', async () => {
  await write(sql`update app_user set post = '分管处长' where id = ${head.userId}`);
  const upTo = (post: string) => flow(asking([{ type: participantType.superiors, until: { post } }]));
  expect((await publish(await upTo('分管处长'))).data.problems ?? []).toEqual([]);
  const { data } = await publish(await upTo('没有的职务'), { dry_run: true });
  expect(data.problems.map(({ msg }) => msg).join()).toContain('没有的职务');
  expect(staff.userId).toBeGreaterThan(0);
});

test('a leaver among those who may start a workflow is reported to its administrators at once', async () => {
  const gone = await write(sql`select id, alias from app_user where id = ${staff.userId}`);
  const alias = String(gone.rows[0]!['alias']);
  const id = await flow((definition) => ({
    ...definition,
    settings: { ...definition.settings, limit: { ...definition.settings.limit, users: [staff.userId, head.userId] } },
  }));
  expect((await publish(id)).data.published).toBe(true);
  await write(sql`update app_user set is_active = false where id = ${staff.userId}`);
  const told = async () => {
    const { value } = await app.admin.get(messages.unread, { query: { per_page: 100 } });
    return value.filter(({ title }) => title.includes(`指定的${alias}已离开`)).length;
  };
  await eventually(async () => expect(await told()).toBe(1));
  expect((await keeper.get(designCalls.get, { params: { id } })).problems).toEqual([
    { kind: 'workflow', key: null, msg: `发起范围里的“${alias}”已离开，请去掉` },
  ]);
  await publish(id);
  expect(await told()).toBe(1);
});
