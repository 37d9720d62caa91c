import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { costOf } from '#kernel/server/testing/cost.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import { alumni } from '#modules/platform/alumni/contract.ts';
import { alumniImport } from '#modules/platform/alumni/contract/import.ts';
import { contractImport } from '#modules/office/contracts/contract/performing/import.ts';
import { customerImport } from '#modules/services/customers/contract/import.ts';
import { superviseImport } from '#modules/office/supervision/contract/import.ts';
import { calendarImport } from '#modules/platform/calendars/contract.ts';
import { files, maxPortion } from '#modules/platform/files/contract.ts';
import { visitors } from '#modules/services/orders/contract/visitors.ts';
import { peopleImport } from '#modules/platform/people/contract/users/import.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { mostChecked, verification } from '#modules/platform/verification/contract.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { wopi } from '#modules/platform/wopi/contract.ts';
import { openDiscovery, setEditor } from '#modules/platform/wopi/testing/discovery.ts';
import { openEditor } from '#modules/platform/wopi/testing/editor.ts';
import { ask, named, nowhere, turnOf } from './testing/asking.ts';
import { heaviest, materials, roomIn } from './testing/heavy.ts';
import { heavyFiles, heavySheet, heavyWord, type HeavyFile } from './testing/heavy-files.ts';
import type { Client, TestOffice } from './testing.ts';
import { asForm, formType, sendFrom, whole, type Uploaded } from './testing/uploading.ts';
import { openWalk, unlimited, type Walk } from './testing/walk.ts';

/** The size of a generated body, with room for what a schema cannot know. */
const largest = 1_000_000;
const mostMs = 500;
const mostMb = 200;
// By day the sheets have only enough lines to show the cost of a line.
const mostLines = process.env['NIGHTLY'] ? Infinity : 1500;

vi.setConfig({ testTimeout: unlimited });

let app: TestOffice;
let mounted: readonly Mounted[];
let asAdmin: Walk['asAdmin'];
let discovery: Awaited<ReturnType<typeof openDiscovery>>;
beforeAll(async () => {
  ({ app, mounted, asAdmin } = await openWalk({ outgoingAllow: ['127.0.0.1'] }));
  discovery = await openDiscovery();
});
afterAll(async () => {
  await app.close();
  await discovery.close();
});

const dear: string[] = [];
async function weigh(what: string, work: () => Promise<{ status: number; text: string }>): Promise<string> {
  let text = '';
  const { ms, mb } = await costOf(async () => {
    const answer = await work();
    text = answer.text;
    expect(answer.status, what).toBeLessThan(500);
  });
  if (ms > mostMs || mb > mostMb) dear.push(`${what}: ${Math.round(ms)} ms, ${Math.round(mb)} MB`);
  return text;
}
let admin: Client;
/** Bodies of a call: one with all fields heavy, and one for each heavy field among plain ones. */
function* bodiesOf(call: Call, material: string): Generator<unknown> {
  const schema = wireSchema(call.body!);
  yield heaviest(schema, material, largest);
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const plain = sampleOf(schema, 1) as Json;
  for (const [name, part] of fields)
    if (roomIn(part, 1) > 20_000) yield { ...plain, [name]: heaviest(part, material, largest * 0.9) };
}

test('no call’s heaviest input costs half a second of the server or 200 MB', async () => {
  const both = ['<p>一.甲</p>', '(12345号《'];
  for (const [at, one] of mounted.entries()) {
    const { call } = one;
    const path = nowhere(call, 1);
    if (call.body && !call.upload)
      for (const material of turnOf(both, at, 2))
        for (const body of bodiesOf(call, material)) {
          const text = JSON.stringify(body);
          await weigh(`${named(one)} ${text.length} bytes of ${material}`, () => asAdmin(call, path, text));
        }
    if (call.query) {
      const names = Object.keys((wireSchema(call.query)['properties'] ?? {}) as Json).filter((n) => n !== 'export');
      const value = encodeURIComponent('(甲《'.repeat(2)).repeat(
        Math.floor(10_000 / (27 * 2 * Math.max(1, names.length))),
      );
      const asked = `${path}?${names.map((n) => `${n}=${value}`).join('&')}`;
      await weigh(`${named(one)} long query`, () => asAdmin(call, asked));
    }
  }
  expect(dear).toEqual([]);
});

test('a document with the largest body is written, read, checked and changed within that cost', async () => {
  dear.length = 0;
  admin = await app.signIn('admin');
  const kinds = mounted.filter(({ call }) => call.method === 'GET' && call.path.startsWith('/api/document/{id}/'));
  expect(kinds.length).toBeGreaterThan(3);
  // The typesetter's own time is not the main thread's, so only materials that are set differently are printed.
  const set: readonly string[] = ['&amp;', '<p>一.甲</p>', '《', '附件1'];
  for (const [at, material] of materials.entries())
    for (const length of turnOf([100_000, 599_000], at, 2)) {
      const body_html = material.repeat(Math.ceil(length / material.length)).slice(0, length);
      const what = (call: string) => `${call} ${length} of ${material}`;
      const draft = { doc_kind: 1, doc_type: 8, title: '关于重的通知', body_html };
      const said = await weigh(what('create'), () =>
        ask(admin, documents.create, '/api/document/', JSON.stringify(draft)),
      );
      const { data } = JSON.parse(said) as { data: { id?: number } | null };
      if (!data?.id) continue;
      for (const one of kinds)
        if (!/pdf|sheet/.test(one.call.path) || set.includes(material))
          await weigh(what(named(one)), () => ask(admin, one.call, one.call.path.replace('{id}', String(data.id))));
      const path = `/api/document/${data.id}/`;
      await weigh(what('change'), () =>
        ask(admin, documents.update, path, JSON.stringify({ body_html: `${body_html} ` })),
      );
    }
  const most = (letters: number) => '《甲》'.repeat(letters / 3);
  const incoming = {
    doc_kind: 2,
    title: '关于重的来文',
    from_org: '某某单位',
    summary: most(500),
    propose_opinion: most(1998),
    leader_opinion: most(1998),
    handle_result: most(4998),
  };
  const { data } = JSON.parse(
    await weigh('create an incoming letter', () =>
      ask(admin, documents.create, '/api/document/', JSON.stringify(incoming)),
    ),
  ) as { data: { id: number } };
  await weigh('sheet of an incoming letter', () => ask(admin, { method: 'GET' }, `/api/document/${data.id}/sheet/`));
  expect(dear).toEqual([]);
});

// A second try would stumble over the remains of the first.
test('the largest file that each call accepts stays within that cost', { retry: 0 }, async () => {
  dear.length = 0;
  admin = await app.signIn('admin');
  await setEditor(app, discovery.url);
  const tried = new Set<string>();
  const send = (call: Call, path: string, body: Uploaded, more: Record<string, string> = {}) => {
    const type = call.stream === 'body' ? 'application/octet-stream' : formType;
    const headers = { authorization: `JWT ${admin.token}`, 'content-type': type, ...more };
    tried.add(`${call.method} ${call.path}`);
    return weigh(`${call.method} ${path} ${body.before.length + body.length} bytes`, () =>
      sendFrom(app.url + path, headers, body, call.method),
    );
  };
  const answered = (text: string) => {
    const { code, msg, data } = JSON.parse(text) as {
      code: number;
      msg: string;
      data: { id: number; upload_id: number };
    };
    expect([code, msg]).toEqual([0, expect.any(String)]);
    return data;
  };
  const module = 'documents';
  const upload = async ({ name, body }: HeavyFile, fields: Record<string, string> = {}) =>
    answered(await send(files.upload, files.upload.path, asForm(name, body, { module, ...fields })));
  const write = (fields: object) => {
    const body = JSON.stringify({ doc_kind: 1, doc_type: 8, title: '关于重的通知', ...fields });
    return weigh('create with a file', () => ask(admin, documents.create, documents.create.path, body));
  };
  const draft = async (fields: object) => answered(await write(fields));
  const placeOf = async (document_id: number) =>
    (await admin.get(documentFiles.attachments, { query: { document_id } })).value[0]!.id;

  // As large as files may be by default.
  const { file_max_mb = 0 } = (await admin.get(settings.site)).value;
  const sorts = await heavyFiles(file_max_mb * 2 ** 20);
  const [text] = sorts;
  for (const one of sorts) await upload(one);
  const { id } = await draft({ attachments: [(await upload({ name: '字.txt', body: whole(Buffer.from('字')) })).id] });
  const place = await placeOf(id);
  answered(await send(documentFiles.save, `/api/document/file_wopi/${place}/?reason=x`, text!.body));
  const { access_token } = await admin.get(documentFiles.open, { params: { id: place } });
  await openEditor(app.url, place, access_token).lock('A');
  const wopiPath = `/api/wopi/files/${place}/contents/?access_token=${encodeURIComponent(access_token)}`;
  await send(wopi.putFile, wopiPath, text!.body, { 'x-wopi-override': 'PUT', 'x-wopi-lock': 'A' });
  const beside = { 'x-wopi-override': 'PUT_RELATIVE', 'x-wopi-suggestedtarget': '.txt' };
  await send(wopi.operate, wopiPath.replace('contents/', ''), text!.body, beside);
  expect((await admin.get(documentFiles.attachments, { query: { document_id: id } })).value[0]!.versions).toHaveLength(
    2,
  );

  const { upload_id } = await upload({ name: '字.txt', body: whole(new Uint8Array()) }, { size: String(maxPortion) });
  const portion = { ...text!.body, length: maxPortion };
  answered(await send(files.append, `/api/file/upload/${upload_id}/?offset=0`, portion));

  const wordOf = async (paragraphs: number) =>
    (await upload({ name: '正文.docx', body: whole(heavyWord(paragraphs)) })).id;
  expect(await write({ body_file: await wordOf(12_000) })).toContain('100000 个字');
  const word = await draft({ body_file: await wordOf(5000) });
  for (const what of ['', 'check/', 'pdf/'])
    await weigh(`a Word body: ${what}`, () => ask(admin, { method: 'GET' }, `/api/document/${word.id}/${what}`));

  const code = 'ABCDEFGHJKMNPQRS';
  await app.services.databases.pool.query(
    `insert into verify_code (code, module, record_id) values ($1, 'documents', $2)`,
    [code, id],
  );
  await send(
    verification.check,
    `/api/verify/${code}/`,
    asForm('字.txt', { ...text!.body, length: mostChecked - 1000 }),
  );

  // A visitor's photograph of their own order.
  await admin.get(settings.saveSite, { body: { visitor_orders: true } });
  const box = app.services.secretBox;
  const { rows } = await app.services.databases.pool.query<{ id: number }>(
    `with kind as (insert into order_category (name, team_id, response_0, finish_0, response_1, finish_1, response_2, finish_2, fee_limit)
       values ('重', $2, 5, 5, 5, 5, 5, 5, 0) returning id)
     insert into repair_order (sn, title, category_id, act_state, stage, source, phone_mark) select 'ORD-heavy', '重', id, 1, 10, 5, $1 from kind returning id`,
    [box.keyedHash('13900009999'), await app.dept('维修科')],
  );
  const ticket = box.seal(`order visitor|${Math.floor(Date.now() / 1000) + 900}|4|13900009999`);
  const photo = sorts.find((one) => one.name.endsWith('.jpg'))!;
  await send(visitors.photo, `/api/order/mine/${rows[0]!.id}/photo/`, asForm(photo.name, photo.body), {
    'x-visitor': ticket,
  });

  const alumnus = { 姓名: '甲', 学号: 'S#', 手机: '138000#0', 备注: '乙《'.repeat(60), 单位: '丙(' };
  const titles = [
    '性别',
    '学院',
    '专业',
    '入学年份',
    '毕业年份',
    '班级',
    '学历',
    '邮箱',
    '城市',
    '职务',
    '同意短信',
    '同意日期',
  ];
  const wrong = '甲<&《甲<&《甲<&《甲<&《甲';
  const allWrong = { ...alumnus, ...Object.fromEntries(titles.map((title) => [title, wrong])) };
  const person = { 姓名: '甲', 用户名: 'heavy#', 手机: '139000#0' };
  const wrongs = ['姓名', '用户名', '手机', '部门', '兼职部门', '角色', '邮箱', '工号'].map((title) => [
    title,
    wrong.repeat(20),
  ]);
  const tooMuch = Object.fromEntries(['姓名', '学号', ...titles.slice(0, 4)].map((title) => [title, wrong.repeat(24)]));
  const paper = { 合同编号: 'HT-#', 合同名称: '甲', 类别代码: 'FW', 相对方: '乙#', 收付: '支出', 合同金额: '100' };
  const contract = { ...paper, 已收付: '40', 签订日期: '2024-03-01', 承办人账号: 'admin' };
  const wrongContract = Object.fromEntries(Object.keys(contract).map((title) => [title, wrong.repeat(20)]));
  const item = { 事项: '督办#', 主办部门: wrong.repeat(20), 事项时限: '2099-12-31', 子任务: '甲', 责任人账号: 'admin' };
  const matter = { ...item, 主办部门: '信息中心', 任务时限: '2099-06-30' };
  const { import: matters, importErrors: matterErrors } = superviseImport.calls;
  const { import: holidays, importErrors: holidayErrors } = calendarImport.calls;
  const { import: contracts, importErrors: contractErrors } = contractImport.calls;
  const { import: customers, importErrors: customerErrors } = customerImport.calls;
  const keeper = (await app.person({ dept: await app.dept('市场部') })).username;
  const customer = {
    客户名称: '客户#',
    负责人用户名: keeper,
    标签: '软件、驻场',
    备注: '乙'.repeat(900),
    联系人: '甲',
    联系人手机: '138000#0',
  };
  const wrongCustomer = Object.fromEntries(customerImport.columns.map(({ title }) => [title, wrong.repeat(15)]));
  const [users, errors] = [peopleImport.calls.import, '/api/alumnus/import/errors/'];
  const sheets: [Call, string, number, Record<string, string>][] = [
    [alumni.import, alumni.import.path, alumniImport.maxRows, alumnus],
    [alumni.import, `${alumni.import.path}?dry_run=true`, alumniImport.maxRows, allWrong],
    [alumni.import, `${alumni.import.path}?dry_run=true`, alumniImport.maxRows, tooMuch],
    [alumni.importErrors, errors, alumniImport.maxRows, allWrong],
    [users, `${users.path}?dry_run=true`, peopleImport.maxRows, Object.fromEntries(wrongs)],
    [users, users.path, peopleImport.maxRows, person],
    [
      peopleImport.calls.importErrors,
      peopleImport.calls.importErrors.path,
      peopleImport.maxRows,
      Object.fromEntries(wrongs),
    ],
    [contracts, contracts.path, contractImport.maxRows, contract],
    [contracts, `${contracts.path}?dry_run=true`, contractImport.maxRows, wrongContract],
    [contractErrors, contractErrors.path, contractImport.maxRows, wrongContract],
    [customers, customers.path, customerImport.maxRows, customer],
    [customers, `${customers.path}?dry_run=true`, customerImport.maxRows, wrongCustomer],
    [customerErrors, customerErrors.path, customerImport.maxRows, wrongCustomer],
    [matters, matters.path, superviseImport.maxRows, matter],
    [matters, `${matters.path}?dry_run=true`, superviseImport.maxRows, item],
    [matterErrors, matterErrors.path, superviseImport.maxRows, item],
    [holidays, holidays.path, calendarImport.maxRows, { 日期: '2095-01-01', 安排: wrong, 说明: wrong }],
    [holidayErrors, holidayErrors.path, calendarImport.maxRows, { 日期: wrong, 安排: wrong, 说明: wrong.repeat(15) }],
    [tickets.sheet, `${tickets.sheet.path}?workflow_id=1`, 2000, { 物品: wrong.repeat(20), 单价: '100' }],
  ];
  for (const [call, path, lines, cells] of sheets)
    await send(call, path, asForm('导入.xlsx', await heavySheet(cells, Math.min(lines, mostLines))));

  expect(dear).toEqual([]);
  const takers = mounted.filter(({ call }) => call.upload).map(({ call }) => `${call.method} ${call.path}`);
  expect([...tried].toSorted()).toEqual([...new Set(takers)].toSorted());
});
