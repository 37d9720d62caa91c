import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { actOnOverdue } from './automation/overdue.ts';
import { actOnTimers } from './automation/timers.ts';
import { stop } from './testing/stop.ts';
import { openWaiting } from './testing/waiting.ts';

let app: TestOffice;
let [staff, one, two, head, admin]: Client[] = [];
let flows: Record<string, number>;
beforeAll(async () => {
  ({ app, staff, one, two, head, admin, flows } = await openWaiting());
});
afterAll(() => app.close());

const begin = async (flow: string, more: object = {}, who = staff!) =>
  (await who.get(tickets.start, { body: { workflow_id: flows[flow]!, transition_id: 1, ...more } })).id;
const does = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const codes = async (who: Client, id: number) => (await detail(who, id)).transitions.map((offer) => offer.code);
const last = async (id: number) => (await staff!.get(tickets.flowlogs, { params: { id } })).value.at(-1)!;
const handlers = async (id: number) => (await detail(staff!, id)).participant_info.participant_alias;
const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
async function run(job: typeof actOnTimers, at: Date): Promise<number> {
  for (let times = 0; ; times++) if (!(await app.services.databases.write((tx) => job(tx, at, stop)))) return times;
}

describe('a timer of a state', () => {
  test('moves the ticket on after its time, exactly once, even when two workers run it at once', async () => {
    const id = await begin('timed');
    expect(await run(actOnTimers, hours(1.9))).toBe(0);
    await Promise.all([run(actOnTimers, hours(2.1)), run(actOnTimers, hours(2.1))]);
    // A worker that comes second may see the stay once more, and leaves it as it is.
    const logs = (await staff!.get(tickets.flowlogs, { params: { id } })).value;
    expect(logs.filter(({ intervene_type_id }) => intervene_type_id === 15)).toHaveLength(1);
    const log = await last(id);
    expect([log.participant_info, log.transition.transition_name, log.intervene_type_id, await handlers(id)]).toEqual([
      null,
      '到时自动流转',
      15,
      '王五',
    ]);
    expect((await does(one!, id, 2)).code).toBe(4010);
    expect(await run(actOnTimers, hours(100))).toBe(0);
    expect((await does(two!, id, 3)).code).toBe(0);
  });

  test('restarts with an action, and stands still while the ticket is suspended', async () => {
    const id = await begin('timed');
    const { pool } = app.services.databases;
    await pool.query(`update ticket_token set timer_at = now() - interval '1 second' where ticket_id = $1`, [id]);
    const both = (await detail(staff!, await begin('beside'))).participant_info.participant.split(',');
    await one!.ask(actions.delegate, { params: { id }, body: { target_username: both[1]!, suggestion: '' } });
    expect(await run(actOnTimers, new Date())).toBe(0);
    await admin!.ask(actions.suspend, { params: { id }, body: { suggestion: '等资料' } });
    expect(await run(actOnTimers, hours(1000))).toBe(0);
    await admin!.ask(actions.resume, { params: { id }, body: {} });
    expect(await run(actOnTimers, hours(2.1))).toBe(1);
  });

  test('is the only thing that a delay state waits for, in working hours if so set', async () => {
    const id = await begin('cooling');
    expect([(await detail(staff!, id)).act_state_id, await handlers(id)]).toEqual([1, '']);
    await run(actOnTimers, hours(24 * 20));
    expect(await handlers(id)).toBe('李四');
    expect((await does(one!, id, 3)).code).toBe(0);
    expect((await detail(staff!, id)).act_state_id).toBe(4);
  });
});

describe('child tickets below a state', () => {
  const below = (id: number, who = one!) => begin('child', { parent_ticket_id: id, parent_ticket_state_id: 2 }, who);

  test('hold it until the last of them is finished, and then it moves on by itself', async () => {
    const helper = (await detail(staff!, await begin('timed'))).participant_info.participant;
    const id = await begin('parent', { helper });
    const children = [await below(id), await below(id)];
    // The people named in a field of the parent ticket.
    expect(
      await Promise.all(children.map(async (child) => (await detail(one!, child)).participant_info.participant)),
    ).toEqual([helper, helper]);
    expect(await codes(one!, id)).not.toContain('approve');
    expect((await does(one!, id, 2)).code).toBe(4010);
    expect((await does(one!, children[0]!, 2)).code).toBe(0);
    expect(await handlers(id)).toBe('李四');
    expect((await does(one!, children[1]!, 2)).code).toBe(0);
    expect([await handlers(id), (await last(id)).transition.transition_name]).toEqual(['王五', '下级工单办结']);
    expect((await does(two!, id, 3)).code).toBe(0);
  });

  test('are started by the state’s handler, and are optional', async () => {
    const id = await begin('parent');
    const ask = { workflow_id: flows['child']!, transition_id: 1, parent_ticket_id: id, parent_ticket_state_id: 2 };
    expect((await staff!.ask(tickets.start, { body: ask })).msg).toBe(
      '上级工单：现在不在这个环节，或不由您处理，请刷新查看',
    );
    // The parent names nobody, so nobody can help.
    expect((await one!.ask(tickets.start, { body: ask })).msg).toMatch(/找不到办理人/);
    expect((await does(one!, id, 2)).code).toBe(0);
  });

  test('that are still drafts keep it from moving on by itself, and cannot be submitted after its handler moved it on', async () => {
    const helper = (await detail(staff!, await begin('timed'))).participant_info.participant;
    const id = await begin('parent', { helper });
    const child = await below(id);
    const body = { workflow_id: flows['child']!, transition_id: 9, parent_ticket_id: id, parent_ticket_state_id: 2 };
    const draft = await one!.get(tickets.start, { body });
    expect((await does(one!, child, 2)).code).toBe(0);
    expect(await handlers(id)).toBe('李四');
    expect((await detail(one!, id)).waits.map((wait) => wait.why)).toEqual([
      `下级工单 ${draft.sn} 还是草稿：提交或删除草稿，或由办理人点按钮继续`,
    ]);
    expect((await does(one!, id, 2)).code).toBe(0);
    expect(await handlers(id)).toBe('王五');
    const late = await does(one!, draft.id, 1);
    expect([late.code, late.msg]).toEqual([
      4010,
      expect.stringMatching(/^上级工单 \S+ 已离开环节“below”，这份草稿不能再提交，请删除$/),
    ]);
    expect((await one!.ask(tickets.remove, { params: { id: draft.id } })).code).toBe(0);
  });

  test('that are drafts let it move on once they are submitted and finished', async () => {
    const helper = (await detail(staff!, await begin('timed'))).participant_info.participant;
    const id = await begin('parent', { helper });
    const body = { workflow_id: flows['child']!, transition_id: 9, parent_ticket_id: id, parent_ticket_state_id: 2 };
    const draft = await one!.get(tickets.start, { body });
    expect((await does(one!, await below(id), 2)).code).toBe(0);
    expect((await does(one!, draft.id, 1)).code).toBe(0);
    expect((await does(one!, draft.id, 2)).code).toBe(0);
    expect(await handlers(id)).toBe('王五');
  });

  test('that finish while their parent is suspended let it move on when it is resumed', async () => {
    const helper = (await detail(staff!, await begin('timed'))).participant_info.participant;
    const id = await begin('parent', { helper });
    const child = await below(id);
    await one!.ask(actions.suspend, { params: { id }, body: { suggestion: '等一等' } });
    expect((await does(one!, child, 2)).code).toBe(0);
    expect(await handlers(id)).toBe('李四');
    await admin!.ask(actions.resume, { params: { id }, body: {} });
    expect(await handlers(id)).toBe('王五');
  });
});

test('an overdue task with several candidates is escalated to their superior, who alone has it then', async () => {
  const id = await begin('pool');
  await run(actOnOverdue, hours(2));
  expect(await handlers(id)).toBe('赵六');
  expect((await does(head!, id, 2)).code).toBe(0);
});

describe('parallel branches, over HTTP,', () => {
  test('wait for each other, show where each stands, and move on together', async () => {
    const id = await begin('beside');
    expect((await detail(staff!, id)).states?.map((state) => state.state_name)).toContain('law');
    expect(await handlers(id)).toBe('李四、王五');
    expect((await does(one!, id, 8)).code).toBe(4010);
    // Each branch has its own version number: a decision in one does not disturb the other.
    const [left, right] = await Promise.all([does(one!, id, 4), does(two!, id, 6)]);
    expect([left.code, right.code]).toEqual([0, 0]);
    expect(await handlers(id)).toBe('赵六');
    const { value: steps } = await staff!.get(tickets.flowsteps, { params: { id } });
    const nobodys = steps.filter((step) => ['同时', '汇合'].includes(step.state_name));
    expect(nobodys.map((step) => [step.state_name, step.is_passed, step.is_current])).toEqual([
      ['同时', true, false],
      ['汇合', true, false],
    ]);
    expect((await does(head!, id, 8)).code).toBe(0);
    expect((await detail(staff!, id)).act_state_id).toBe(4);
  });

  test('all end when one is returned to the creator, and begin anew with the resubmission', async () => {
    const id = await begin('beside');
    await does(two!, id, 6);
    expect((await does(one!, id, 5, { suggestion: '不行' })).code).toBe(0);
    expect([(await detail(staff!, id)).act_state_id, await handlers(id)]).toEqual([2, '张三']);
    expect((await does(staff!, id, 1)).code).toBe(0);
    expect(await handlers(id)).toBe('李四、王五');
  });

  test('are kept or ended as requested when the ticket is forced into one of them, and the log names those that ended', async () => {
    const id = await begin('beside');
    const force = (more: object) =>
      admin!.ask(actions.state, { params: { id }, body: { state_id: 3, suggestion: '重来', ...more } as never });
    const asked = await force({});
    expect([asked.code, asked.msg]).toEqual([
      4000,
      '其他分支：“money”正在另外的分支里办理，请选择让它们继续，还是一并结束',
    ]);
    expect((await force({ beside: 'both' })).code).toBe(4000);
    expect(await handlers(id)).toBe('李四、王五');
    expect((await force({ beside: 'keep' })).code).toBe(0);
    // People asked anew are listed after those who continue.
    expect(await handlers(id)).toBe('王五、李四');
    expect((await force({ beside: 'end' })).code).toBe(0);
    expect(await handlers(id)).toBe('李四');
    expect((await last(id)).reasons).toContain('“money”（王五）随之结束，不再办理');
    expect((await does(two!, id, 6)).code, 'who ended there is not asked any more').toBe(4010);
    const heard = (await two!.get(messages.unread)).value.map((one) => one.title);
    expect(heard.some((title) => title.includes('您无需再处理'))).toBe(true);
    expect((await does(one!, id, 4)).code).toBe(0);
    expect(await handlers(id)).toBe('赵六');
  });

  test('cannot be suspended by a handler of one branch, only by an intervener', async () => {
    const id = await begin('beside');
    expect(await codes(one!, id)).not.toContain('suspend');
    expect((await admin!.ask(actions.suspend, { params: { id }, body: { suggestion: '暂停' } })).code).toBe(0);
    expect([(await does(one!, id, 4)).code, (await does(two!, id, 6)).code]).toEqual([4010, 4010]);
  });
});
