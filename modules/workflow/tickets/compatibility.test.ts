import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { onEmpty, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { addFlow } from './testing/flow.ts';
import { form, headAgrees, repairCast, submit } from './testing/repair.ts';

/*
 * Requests and answers of a page or program written for the 2.x engine, over plain HTTP and by the old names. Answers may contain more, but none of
 * these may be removed.
 */

type Json = Record<string, unknown>;
let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let id: number;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  // With a single handler nothing has to be claimed.
  await cast.clerk('钱七', { roles: ['order_handler'] });
  id = (await start()).ticket_id as number;
}, 180_000);
afterAll(() => app.close());

async function send(who: Client, method: string, path: string, body?: object): Promise<Json> {
  const answer = await who.fetch(path, {
    method,
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  });
  expect(answer.status).toBe(200);
  const envelope = (await answer.json()) as Json;
  expect(Object.keys(envelope).toSorted()).toEqual(['code', 'data', 'msg']);
  return envelope;
}
async function asked(who: Client, method: string, path: string, body?: object): Promise<Json> {
  const { code, msg, data } = await send(who, method, path, body);
  expect([path, code, msg]).toEqual([path, 0, expect.any(String)]);
  return data as Json;
}
const start = () =>
  asked(cast.staff, 'POST', '/api/tickets/', { workflow_id: cast.repair, transition_id: submit, ...form, amount: 300 });
const holds = (value: unknown, keys: string) =>
  expect(Object.keys(value as Json)).toEqual(expect.arrayContaining(keys.split(' ')));
const rowsOf = (data: Json) => data['value'] as Json[];

describe('a list', () => {
  test('is paged with page, per_page and total, ten rows by default, and shows the last page when asked beyond the end', async () => {
    while ((await asked(cast.staff, 'GET', '/api/tickets/?category=owner'))['total'] !== 11) await start();
    const first = await asked(cast.staff, 'GET', '/api/tickets/?category=owner');
    expect([first['page'], first['per_page'], first['total'], rowsOf(first).length]).toEqual([1, 10, 11, 10]);
    const beyond = await asked(cast.staff, 'GET', '/api/tickets/?category=owner&page=99');
    expect([beyond['page'], rowsOf(beyond).length]).toEqual([2, 1]);
  });

  test('of tickets names state, handlers, creator and workflow of each row', async () => {
    const [row] = rowsOf(await asked(cast.head, 'GET', `/api/tickets/?category=duty&ticket_ids=${id}`));
    holds(row, 'id sn title workflow_id state_id act_state_id parent_ticket_id parent_ticket_state_id in_add_node');
    holds(row, 'creator gmt_created gmt_modified creator_info workflow_info');
    holds(row!['state'], 'state_id state_name state_label');
    const people = 'participant_type_id participant participant_name participant_type_name participant_alias';
    holds(row!['participant_info'], people);
    expect(row!['participant_info']).toMatchObject({
      participant: cast.username(cast.head),
      participant_alias: '李四',
    });
    holds(row!['creator_info'], 'username alias');
    expect(row!['workflow_info']).toEqual({ workflow_id: cast.repair, workflow_name: '信息化服务' });
  });

  test('of tickets is the newest first with reverse=1, and the oldest without', async () => {
    while (((await asked(cast.staff, 'GET', '/api/tickets/?category=owner'))['total'] as number) < 3) await start();
    const ids = async (query: string) =>
      rowsOf(await asked(cast.staff, 'GET', `/api/tickets/?category=owner&per_page=100&${query}`)).map(
        (row) => row['id'],
      );
    const newest = await ids('reverse=1');
    expect(newest).toEqual(newest.toSorted((a, b) => Number(b) - Number(a)));
    expect(await ids('reverse=0')).toEqual(newest.toReversed());
    expect(await ids('')).toEqual(newest);
  });

  test('of tickets accepts the filters by their old names, and each filter has its effect', async () => {
    const found = async (query: string) =>
      rowsOf(await asked(cast.staff, 'GET', `/api/tickets/?category=owner&ticket_ids=${id}&${query}`)).length;
    const [row] = rowsOf(await asked(cast.staff, 'GET', `/api/tickets/?category=owner&ticket_ids=${id}`));
    const day = String(row!['gmt_created']).slice(0, 10);
    const sn = String(row!['sn']);
    const creator = cast.username(cast.staff);
    const [hits, misses] = [
      [`sn=${sn.slice(0, 6)}`, `title=${encodeURIComponent('水管')}`, `create_start=${day}`, `create_end=${day}`],
      ['sn=ZZ', `title=${encodeURIComponent('没有')}`, 'create_start=2099-01-01', 'create_end=2000-01-01'],
    ];
    const above = (await start()).ticket_id as number;
    await app.services.databases.write((tx) =>
      tx.execute(
        sql`update ticket set parent_ticket_id = ${above}, parent_ticket_state_id = 2, parent_token_no = 1, parent_visit = 1 where id = ${id}`,
      ),
    );
    hits.push(`workflow_ids=${cast.repair}`, 'state_ids=2', 'act_state_id=1', `creator=${creator}`);
    misses.push(`workflow_ids=${cast.leave}`, 'state_ids=4', 'act_state_id=4', 'creator=nobody');
    hits.push(`parent_ticket_id=${above}`, 'parent_ticket_state_id=2', 'from_admin=0', 'reverse=0', 'reverse=1');
    misses.push(`parent_ticket_id=${above + 1}`, 'parent_ticket_state_id=3', 'from_admin=1');
    for (const query of hits) expect([query, await found(query)]).toEqual([query, 1]);
    for (const query of misses) expect([query, await found(query)]).toEqual([query, 0]);
    for (const category of ['owner', 'duty', 'relation', 'worked', 'view', 'intervene', 'cc'])
      holds(await asked(cast.staff, 'GET', `/api/tickets/?category=${category}`), 'value page per_page total');
  });
});

test('a refusal is HTTP 200 with a code other than 0 and a sentence; the general code is -1', async () => {
  const { definition } = leave;
  const nobody = { participants: [{ type: participantType.role, roles: ['nobody_at_all'] }], on_empty: onEmpty.refuse };
  const empty = await addFlow(app, 'empty', {
    ...definition,
    name: '无人处理',
    states: definition.states.map((state) => (state.id === 2 ? { ...state, ...nobody } : state)),
    settings: { ...definition.settings, number_rule: { prefix: 'QT', digits: 4, period: 'day' } },
  });
  const absence = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', days: 2, reason: '家中有事' };
  const refusals: [number, string, string, string, object?][] = [
    [4004, 'GET', '/api/tickets/999999/', '工单不存在，或您无权查看'],
    [4000, 'POST', '/api/tickets/', '', { workflow_id: cast.repair, transition_id: submit, title: '缺项' }],
    [4010, 'PATCH', `/api/tickets/${id}/`, '', { transition_id: headAgrees, suggestion: '不归我' }],
    [-1, 'POST', '/api/tickets/', '找不到办理人', { workflow_id: empty, transition_id: submit, ...absence }],
  ];
  for (const [code, method, path, words, body] of refusals) {
    const envelope = await send(cast.staff, method, path, body);
    expect([path, envelope['code']]).toEqual([path, code]);
    expect(envelope['msg']).toMatch(words || /[一-龥]{4}/);
  }
});

describe('one ticket', () => {
  test('is its list row with the form added as a list of fields', async () => {
    const value = (await asked(cast.head, 'GET', `/api/tickets/${id}/`))['value'] as Json;
    holds(value, 'id sn title workflow_id state_id act_state_id creator_info state_info field_list');
    holds(value['state_info'], 'id name type_id enable_retreat label');
    const fields = value['field_list'] as Json[];
    const names = 'field_key field_name field_value field_type_id field_attribute order_id field_choice default_value';
    for (const field of fields)
      holds(field, `${names} boolean_field_display description placeholder field_template label`);
    expect(fields.find((field) => field['field_key'] === 'amount')).toMatchObject({
      field_value: 300,
      field_attribute: 1,
    });
  });

  test('is started and handled with form fields beside transition_id and suggestion, and the answer has ticket_id', async () => {
    const started = await start();
    expect(started['ticket_id']).toEqual(expect.any(Number));
    const path = `/api/tickets/${String(started['ticket_id'])}/`;
    await asked(cast.head, 'PATCH', path, { transition_id: headAgrees, suggestion: '同意' });
  });

  test('offers its buttons as transitions', async () => {
    const offers = rowsOf(await asked(cast.head, 'GET', `/api/tickets/${id}/transitions/`));
    const names = 'transition_id transition_name field_require_check is_accept in_add_node alert_enable alert_text';
    for (const offer of offers) holds(offer, `${names} attribute_type_id`);
    const agree = offers.find((offer) => offer['transition_id'] === headAgrees);
    expect(agree).toMatchObject({ transition_name: '同意', attribute_type_id: 1, is_accept: false });
  });

  test('returns its log in pages, oldest or newest first, with the form if asked for', async () => {
    await asked(cast.staff, 'POST', `/api/tickets/${id}/comments/`, { suggestion: '请尽快' });
    const log = await asked(cast.staff, 'GET', `/api/tickets/${id}/flowlogs/?ticket_data=1`);
    holds(log, 'value page per_page total');
    for (const row of rowsOf(log)) {
      holds(row, 'state transition intervene_type_id participant_info suggestion gmt_created ticket_data');
      holds(row['transition'], 'transition_id transition_name attribute_type_id');
      holds(row['participant_info'], 'username alias');
    }
    const newest = rowsOf(await asked(cast.staff, 'GET', `/api/tickets/${id}/flowlogs/?desc=1&ticket_data=0`));
    expect(newest[0]).toMatchObject({ intervene_type_id: 5, suggestion: '请尽快' });
    expect(newest[0]).not.toHaveProperty('ticket_data');
    const steps = await asked(cast.staff, 'GET', `/api/tickets/${id}/flowsteps/`);
    expect(steps['current_state_id']).toBe(2);
    for (const step of rowsOf(steps)) holds(step, 'state_id state_name order_id state_flow_log_list');
  });

  test('accepts each action by its old path and body', async () => {
    const [helper, second] = [cast.username(cast.helper), cast.username(cast.second)];
    const at = `/api/tickets/${id}`;
    await asked(cast.head, 'POST', `${at}/deliver/`, { target_username: helper, suggestion: '请代为处理' });
    await asked(cast.helper, 'POST', `${at}/add_node/`, { target_username: second, suggestion: '请先看' });
    const value = (await asked(cast.second, 'GET', `${at}/`))['value'] as Json;
    expect(value['in_add_node']).toBe(true);
    await asked(cast.second, 'POST', `${at}/add_node_end/`, { suggestion: '看过了' });
    await asked(cast.staff, 'POST', `${at}/retreat/`, { suggestion: '撤回' });
    await asked(app.admin, 'PUT', `${at}/state/`, { state_id: 4, suggestion: '直接派修' });
    await asked(cast.worker, 'POST', `${at}/accept/`, {});
    await asked(app.admin, 'POST', `${at}/close/`, { suggestion: '不修了' });
    const rows = rowsOf(await asked(cast.staff, 'GET', `${at}/flowlogs/?per_page=50`));
    const types = rows.map((row) => row['intervene_type_id']).filter((type) => type !== 0 && type !== 5);
    expect(types).toEqual([1, 2, 3, 10, 8, 4, 7]);
  });
});

describe('a workflow', () => {
  test('returns how a ticket begins, what its form looks like, and whether the user may intervene', async () => {
    const at = `/api/workflows/${cast.repair}`;
    const begin = await asked(cast.staff, 'GET', `${at}/init_state/`);
    holds(begin, 'field_list transition');
    holds((begin['field_list'] as Json[])[0], 'field_key field_name field_type_id field_attribute');
    const shape = await asked(cast.staff, 'GET', `${at}/simple_description/`);
    expect(shape['workflow_basic_info']).toMatchObject({ id: cast.repair, name: '信息化服务' });
    for (const state of shape['workflow_state_info'] as Json[]) holds(state, 'id name');
    const link = 'id name source_state_id destination_state_id condition_expression attribute_type_id timer';
    for (const transition of shape['workflow_transition_info'] as Json[]) holds(transition, link);
    expect(await asked(cast.staff, 'GET', `${at}/can_intervene/`)).toEqual({ can_intervene: false });
    expect(await asked(app.admin, 'GET', `${at}/can_intervene/`)).toEqual({ can_intervene: true });
  });
});
