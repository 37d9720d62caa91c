import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { done, idParams, name } from '#kernel/contract/shapes.ts';
import { implement, type Mounted } from '#kernel/server/http/implement.ts';
import { openPlaces } from '#kernel/server/testing/open-places.ts';
import type { Json } from '#kernel/server/testing/sample.ts';
import { deptTable } from '#modules/platform/people/tables.ts';
import { HandleBody, StartBody } from '#modules/workflow/tickets/contract.ts';
import { form, repairCast, type RepairCast } from '#modules/workflow/tickets/testing/repair.ts';
import { ask, each, named, nowhere, type Answer } from './testing/asking.ts';
import { fitsOf, type Fit, type Fits } from './testing/fits.ts';
import {
  columnNames,
  dressed,
  flips,
  marked,
  markers,
  misread,
  switchesOf,
  watchSwitches,
} from './testing/mass-assignment.ts';
import { appOf, openWalk, unlimited, type Walk } from './testing/walk.ts';
import type { Client, TestOffice } from './testing.ts';

vi.setConfig({ testTimeout: unlimited });

let app: TestOffice;
let mounted: readonly Mounted[];
let asAdmin: Walk['asAdmin'];
let writes: Mounted[];
let columns: string[];
let cast: RepairCast;
let fits: Fits;
beforeAll(async () => {
  ({ app, mounted, asAdmin } = await openWalk());
  writes = mounted.filter(({ call }) => call.method !== 'GET');
  columns = await columnNames(app.db);
  // Person number 2 is the target of the calls and not one of the cast.
  await app.person();
  cast = await repairCast(app);
  fits = await fitsOf(app, cast, examples);
});
afterAll(() => app.close());

/** Sends each call its body with every column added; returns the refusals, and the effects that must not happen. */
async function trial(
  calls: readonly Mounted[],
  fits: Fits,
  send: (one: Mounted, fit: Fit, body: Json) => Promise<Answer>,
): Promise<{ holes: string[]; codes: Map<string, number | null> }> {
  const holes = new Set<string>();
  const answered = new Map<string, number | null>();
  const attempt = async (one: Mounted, strange: Json): Promise<ReadonlySet<string>> => {
    const key = `${one.call.method} ${one.call.path}`;
    const fit = (await fits[key]?.()) ?? {};
    const { body, known } = dressed(one.call, fit.body ?? examples[key], strange);
    const answer = await send(one, fit, body);
    if (answer.status >= 500) holes.add(`${named(one)} breaks`);
    if (answered.get(named(one)) !== codes.ok) answered.set(named(one), answer.code);
    return known;
  };
  const changes = calls.filter(({ call }) => call.method !== 'DELETE');
  const marks = markers.map((value) => Object.fromEntries(columns.map((name) => [name, value])));
  const switches = await switchesOf(app.db);
  for (const strange of marks) await each(changes, async (one) => void (await attempt(one, strange)));
  // A marker itself shows which call took it; a switch that moved can only be caused by the preceding call.
  const moved = await watchSwitches(app.services.databases);
  for (const [at, one] of changes.entries()) {
    const known = await attempt(one, switches(at));
    for (const { table, column } of await moved())
      if (!known.has(column)) holes.add(`${named(one)} moves a switch: ${table}.${column}`);
  }
  // Deletions come last, because later calls would miss what they delete.
  const deletions = calls.filter(({ call }) => call.method === 'DELETE');
  for (const strange of [...marks, switches(0)])
    await each(deletions, async (one) => void (await attempt(one, strange)));
  for (const row of await marked(app.db)) holes.add(`a column was taken: ${row}`);
  return { holes: [...holes], codes: answered };
}

/** Tickets take the fields of their form at the top level of the body; the workflow says which. */
const formCalls = new Set(['POST /api/tickets/', 'PATCH /api/tickets/{id}/']);
const ticketFields = new Set([StartBody.shape, HandleBody.shape, { ...form, amount: 300 }].flatMap(Object.keys));
/** Parts whose keys the caller may choose: names of states, fields, kinds of messages; and a value that is kept for its owner. */
const freeNames = new Set([
  'access',
  'back',
  'choose',
  'columns',
  'decisions',
  'events',
  'expression',
  'field_value',
  'formula',
  'label',
  'left',
  'params',
  'pins',
  'required_when',
  'right',
  'shown',
  'shown_when',
  'text_values',
  'value',
  'values',
  'when',
  'widths',
]);
/** Answers that are given before a body is read. */
const notTried = new Set<number>([codes.forbidden, codes.signedOut, codes.fault]);

describe('columns that a caller may not set', () => {
  test('are accepted by no request body, at any depth', () => {
    const wrong = mounted.flatMap((one) => {
      const problem = misread(one.call, examples[`${one.call.method} ${one.call.path}`], columns);
      return problem && !formCalls.has(`${one.call.method} ${one.call.path}`) ? [`${named(one)}: ${problem}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('can be sent only in the places made for freely named fields', () => {
    const found = mounted.flatMap(({ call }) =>
      call.body ? openPlaces(call.body).map((place) => [`${call.method} ${call.path}`, place] as const) : [],
    );
    const strange = found.filter(([key, place]) => {
      const [path, kind] = place.split(': ') as [string, string];
      return kind === 'loose'
        ? !formCalls.has(key)
        : !freeNames.has(
            path
              .replace(/(\.\*)+$/, '')
              .split('.')
              .at(-1)!,
          );
    });
    expect(strange).toEqual([]);
    expect(found.filter(([, place]) => place.endsWith(': loose')).map(([key]) => key)).toEqual([...formCalls]);
  });

  test('keep their values whatever a body names', async () => {
    const { holes, codes: answered } = await trial(writes, fits, (one, fit, body) => sent(one, fit, body));
    expect(holes).toEqual([]);
    const unread = [...answered].filter(([, code]) => code !== null && notTried.has(code));
    expect(unread).toEqual([]);
    // Many calls succeeded; the others were refused by a rule after their body was read.
    const accepted = [...answered.values()].filter((code) => code === codes.ok).length;
    expect(accepted).toBeGreaterThan(55);
  });

  test('are refused by name where a workflow defines the fields', async () => {
    const { staff, head, repair, begin } = cast;
    const { id } = await begin();
    const start = { path: '/api/tickets/', body: { workflow_id: repair, transition_id: 2, ...form } };
    const handle = { path: `/api/tickets/${id}/`, body: { transition_id: 3, suggestion: '好' } };
    const attempt = (
      client: Client,
      method: 'POST' | 'PATCH',
      { path, body }: typeof start | typeof handle,
      more = {},
    ) => ask(client, { method }, path, JSON.stringify({ ...body, ...more }));
    for (const value of [...markers, ...flips]) {
      const more = Object.fromEntries(columns.filter((one) => !ticketFields.has(one)).map((one) => [one, value]));
      for (const answer of [await attempt(staff, 'POST', start, more), await attempt(head, 'PATCH', handle, more)]) {
        const { data } = JSON.parse(answer.text) as { data: { errors: { field: string }[] } };
        expect([answer.code, data.errors.map((one) => one.field).toSorted()]).toEqual([
          codes.invalid,
          Object.keys(more).toSorted(),
        ]);
      }
    }
    expect([(await attempt(staff, 'POST', start)).code, (await attempt(head, 'PATCH', handle)).code]).toEqual([0, 0]);
  });

  test('are not reached by a prototype sent in a body', async () => {
    const poison = ['"__proto__":{"polluted":true,"superAdmin":true}', '"constructor":{"prototype":{"polluted":true}}'];
    await each(writes, async (one) => {
      const key = `${one.call.method} ${one.call.path}`;
      const fit = (await fits[key]?.()) ?? {};
      const body = JSON.stringify(dressed(one.call, fit.body ?? examples[key], {}).body);
      for (const text of [`{${poison.join()}}`, body.replaceAll('{', `{${poison.join()},`).replaceAll(',}', '}')]) {
        const answer = await by(fit)(one.call, fit.path ?? nowhere(one.call, 2), text);
        expect(answer.status, named(one)).toBeLessThan(500);
      }
    });
    const query = '?__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__.polluted=1';
    const gets = mounted.filter(({ call }) => call.method === 'GET');
    await each(gets, async (one) => {
      expect((await asAdmin(one.call, nowhere(one.call) + query)).status, named(one)).toBeLessThan(500);
    });
    expect('polluted' in {}).toBe(false);
    expect('polluted' in Object.prototype || 'superAdmin' in {}).toBe(false);
  });

  test('are detected by this test if a call accepts them', async () => {
    const leaky = {
      rename: call({
        method: 'PATCH',
        path: '/api/leak/{id}/',
        access: signedIn,
        summary: '改名',
        params: idParams,
        body: z.looseObject({ name: name(20) }),
        reply: done,
      }),
    };
    const leak = implement('leak', leaky, {
      rename: async ({ params, body }, { tx }) => {
        const fields = Object.entries(body).filter(([key, value]) =>
          key === 'label' ? typeof value === 'string' : key === 'type' && value === 2,
        );
        await tx
          .update(deptTable)
          .set({ name: body.name, ...Object.fromEntries(fields) })
          .where(eq(deptTable.id, params.id));
        return {};
      },
    });
    const server = appOf(app, [leak]);
    try {
      const address = await server.listen({ host: '127.0.0.1', port: 0 });
      const [one] = leak.calls;
      expect(misread(leaky.rename, undefined, columns)).toBe('fields that it does not name come through');
      expect(openPlaces(leaky.rename.body!)).toEqual([': loose']);
      const [first] = await app.db.select({ id: deptTable.id }).from(deptTable).orderBy(deptTable.id).limit(1);
      const path = `/api/leak/${first!.id}/`;
      const { holes } = await trial([one!], { 'PATCH /api/leak/{id}/': () => ({ path }) }, (leaking, fit, body) =>
        ask(app.admin.at(address), leaking.call, fit.path!, JSON.stringify(body)),
      );
      expect(holes).toContain('leak: PATCH /api/leak/{id}/ moves a switch: dept.type');
      expect(holes.filter((hole) => hole.startsWith('a column was taken: dept'))).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});

const noon = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} 12:00`;

/** Bodies whose parts must fit together, or fit existing data: a sample from the schema alone would only be refused. */
const examples: Record<string, Json> = {
  // A role that does not exist: otherwise the caller could change nothing any more.
  'POST /api/accounts/seeing/': { role: 999_999 },
  'POST /api/accounts/forgotten/code/': { target: '13900000000' },
  'POST /api/accounts/forgotten/': { target: '13900000000', code: '000000', new_password: 'Sample-2026-pass' },
  'POST /api/accounts/users/mail_code/': { email: 'sample@example.com' },
  'PUT /api/accounts/users/confirm_mail/': { email: 'sample@example.com', code: '000000', password: 'sample' },
  'PUT /api/test/rule/': { keep_days: 30, references: ['223.5.5.5:53'], promised_5x8: 99, promised_7x24: 99.9 },
  'POST /api/msg/push/': {
    endpoint: 'https://push.example.com/d/1',
    p256dh: 'BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo',
    auth: 'A'.repeat(22),
  },
  'POST /api/msg/push/stop/': { endpoint: 'https://push.example.com/d/1' },
  'PUT /api/customer/projects/{id}/monitor/': {
    type: 1,
    target: 'https://www.example.com/',
    accepted_codes: '200-299',
  },
  'POST /api/customer/projects/{id}/probe/': {
    settings: { type: 1, target: 'https://www.example.com/', accepted_codes: '200-299' },
  },
  'POST /api/customer/': { name: '客户', credit_code: '', tags: ['软件'] },
  'PATCH /api/customer/{id}/': { name: '客户', credit_code: '', tags: ['软件'] },
  'POST /api/customer/projects/': { customer_id: 1, name: '项目', url: '' },
  'PUT /api/customer/projects/{id}/': { name: '项目', url: '' },
  'POST /api/accounts/delegation/': {
    delegate: 'admin',
    start: noon(1),
    end: noon(9),
    workflow_ids: [],
    chain_limit: 1,
  },
  'POST /api/accounts/app_token/': { app_name: '样本', apis: ['GET /api/tickets/'], workflow_ids: [] },
  'PATCH /api/accounts/app_token/{id}/': { app_name: '样本' },
  'POST /api/meet/': { title: '样本' },
  'PUT /api/meet/{id}/': { title: '样本' },
  'PUT /api/meet/{id}/again/': { title: '样本' },
  'POST /api/meet/{id}/sign/': { code: '123456' },
  'POST /api/meet/busy/': { users: [1], start_time: noon(1), end_time: noon(2) },
  'POST /api/meet/office/': { name: '样本' },
  'PATCH /api/meet/office/{id}/': { name: '样本' },
  'POST /api/meet/is_apply/': { room_ids: [1], start_time: noon(1), end_time: noon(2) },
  'POST /api/meet/blackout/': { room_id: 1, start_time: noon(1), end_time: noon(2), reason: '样本' },
  'POST /api/meet/waiting/': { room_id: 1, start_time: noon(1), end_time: noon(2) },
  'PUT /api/accounts/users/change_info/': {},
  'PUT /api/accounts/settings/site/': { name: '样本站点' },
  'PUT /api/accounts/settings/login/': { pwd_min: 8 },
  'PATCH /api/accounts/menu/{id}/': {},
  'PUT /api/accounts/menu/{id}/move/': {},
  'PUT /api/accounts/depts/{id}/move/': {},
  'PUT /api/document/category/{id}/move/': {},
  'PUT /api/photo/category/{id}/move/': {},
  'POST /api/photo/category/': { name: '样本相册' },
  'PUT /api/photo/category/{id}/': { name: '样本相册' },
  'PATCH /api/photo/category/{id}/': { name: '样本相册' },
  'PATCH /api/accounts/roles/{id}/': { description: '样本' },
  'PUT /api/accounts/roles/{id}/': { description: '样本' },
  'POST /api/accounts/users/': { username: 'sample', alias: '样本' },
  'PUT /api/accounts/users/{id}/': { alias: '样本' },
  // People who do not exist, for the same reason.
  'POST /api/accounts/users/bulk/preview/': { ids: [999_999], change: { what: 'disable' } },
  'POST /api/accounts/users/bulk/': { ids: [999_999], change: { what: 'disable' } },
  'POST /api/accounts/depts/': { name: '样本部门' },
  'PUT /api/accounts/depts/{id}/': { name: '样本部门甲' },
  'PATCH /api/accounts/depts/{id}/': { name: '样本部门乙' },
  'POST /api/document/{id}/marks/': { digest: 'a'.repeat(64), strokes: [{ page: 1, ink: 1, points: [1, 1, 2, 2] }] },
  'POST /api/document/category/': { name: '样本类别', code: 'YB', doc_kind: 1 },
  'POST /api/document/redhead/': { name: '样本红头' },
  'PUT /api/document/redhead/{id}/': { name: '样本红头' },
  'POST /api/document/number_rule/': { agency_code: '样字' },
  'PUT /api/document/category/{id}/': { name: '样本类别', code: 'YBY', doc_kind: 1 },
  'PUT /api/document/number_rule/{id}/': { agency_code: '样字乙' },
  'POST /api/folder/category/': { name: '样本分类' },
  'PUT /api/folder/category/{id}/': { name: '样本分类甲' },
  'POST /api/folder/papers/': {
    title: '样本制度',
    category_id: 1,
    fwh: '样本〔2026〕1号',
    dept: 2,
    publish_date: '2026-11-20',
    content: '样本',
    scope: { all: true },
    status: 1,
    must_read: true,
  },
  'PUT /api/folder/papers/{id}/': { keywords: '样本' },
  'POST /api/links/': { from_module: 'folders', from_id: 1, to_module: 'folders', to_id: 2 },
  'POST /api/folder/collect/': { paper_id: 1 },
  'PUT /api/folder/read/': { paper_id: 1, urge: true },
  'POST /api/supervise/bulletin/': { month: '2026-03' },
  'POST /api/contract/': { name: '样本合同', category_id: 1, parties: [{ name: '样本公司' }] },
  'PUT /api/contract/{id}/': { name: '样本合同', category_id: 1 },
  'PUT /api/contract/{id}/again/': { name: '样本合同', category_id: 1 },
  'POST /api/contract/manage/handover/': { ids: [1], to: 1, reason: '样本' },
  'PUT /api/contract/party/{id}/': { name: '样本公司' },
  'POST /api/stamp/': { name: '样本章', type: 1, dept_id: 1, keeper: 'admin' },
  'PUT /api/stamp/{id}/': { name: '样本章', type: 1, dept_id: 1, keeper: 'admin' },
  'PATCH /api/stamp/{id}/': { name: '样本章' },
  'PUT /api/stamp/rule/': { expire_days: 15 },
  'POST /api/leader/duty/publish/': { month: '2026-03' },
  'POST /api/customer/{id}/report/': { month: '2026-03' },
  'POST /api/leader/week/': { date: '2026-03-02', force: true },
  'PUT /api/leader/rule/': { travel_minutes: 30 },
  'POST /api/workflows/': { name: '样本流程' },
  'PATCH /api/workflows/{id}/': { description: '样本' },
  'POST /api/workflows/{id}/states/': { name: '样本环节', kind: 'handle', order: 9 },
  'PATCH /api/workflows/{id}/states/{cid}/': { name: '样本' },
  'POST /api/workflows/{id}/transitions/': { name: '样本流转', source: 1, destination: 3, attribute: 1 },
  'PATCH /api/workflows/{id}/transitions/{cid}/': { name: '样本' },
  'POST /api/workflows/{id}/custom_fields/': { key: 'sample', name: '样本字段', type: 5 },
  'PATCH /api/workflows/{id}/custom_fields/{cid}/': { name: '样本' },
  'POST /api/workflows/{id}/simulate/': { applicant: 'admin' },
};

const by = ({ by: somebody }: Fit): Walk['asAdmin'] => (somebody ? (...asked) => ask(somebody, ...asked) : asAdmin);

/** Sends a call over HTTP as the administrator, unless another person fits; a call that takes a file gets one. */
async function sent(one: Mounted, fit: Fit, body: Json): Promise<Answer> {
  const to = fit.path ?? nowhere(one.call, 2);
  if (!one.call.upload) return by(fit)(one.call, to, JSON.stringify(body));
  const parts = new FormData();
  for (const [key, value] of Object.entries(body)) parts.set(key, String(value));
  parts.set('file', new Blob(['样本']), 'sample.txt');
  return by(fit)(one.call, to, parts);
}
