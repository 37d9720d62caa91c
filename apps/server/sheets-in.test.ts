import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { alumni } from '#modules/platform/alumni/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { customers } from '#modules/services/customers/contract/customers.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

/** Imports whose noun is exported in a form that this test does not look for. */
const elsewhere: Readonly<Record<string, string>> = {
  '/api/calendars/': 'no sheet of it is exported',
  '/api/supervise/': 'its list is a register of items, its import a plan of their parts (decision 0250)',
  '/api/contract/manage/': 'contracts/ledger.test.ts',
};

/** An import whose noun is exported: how to create a row, its export, and the change to the sheet before it is imported again. */
interface Circle {
  make(): Promise<unknown>;
  exported: string;
  between?(rows: string[][]): Promise<void>;
}
const circles: Readonly<Record<string, Circle>> = {
  '/api/alumnus/': {
    make: () =>
      app.admin.get(alumni.add, {
        body: {
          name: '李若兰',
          student_no: '0014030217',
          gender: '女',
          college: '文学院',
          major: '汉语言文学',
          enter_year: 2014,
          graduate_year: 2018,
          class_name: '1402',
          degree: '本科',
          mobile: '13900001101',
          email: 'ruolan@example.com',
          city: '杭州',
          company: '某报社',
          post: '编辑',
          remark: '校友会理事',
          consent_sms: true,
          consent_at: '2024-06-01',
          consent_from: '返校登记表',
        } as never,
      }),
    // They stay: a person with a known student number is updated, here with unchanged data.
    exported: '/api/alumnus/sms_retrieve/?export=xlsx&reason=test',
  },
  '/api/customer/': {
    async make() {
      const dept_id = await app.dept('市场部');
      const said = {
        credit_code: '91350100M000100Y43',
        type: 2,
        level: 1,
        status: 1,
        industry: '软件',
        source: '招标',
      };
      const more = { phone: '0571-88000000', website: 'https://example.com', address: '文一路 1 号', remark: '老客户' };
      const body = { name: '来回科技有限公司', code: 'K0001', tags: ['驻场', '软件'], dept_id, ...said, ...more };
      await app.admin.get(customers.add, { body: body as never });
    },
    exported: '/api/customer/?export=xlsx',
    async between() {
      const { value } = await app.admin.get(customers.list);
      for (const { id } of value) await app.admin.get(customers.remove, { params: { id } });
    },
  },
  '/api/accounts/users/': {
    async make() {
      const body = { alias: '来回人', username: 'there', dept: await app.dept('来回处'), post: '科员', gender: '女' };
      const more = { email: 'a@example.com', office_phone: '8051', office_room: '行政楼 301', employ_no: '00012' };
      await app.admin.get(users.create, { body: { ...body, ...more } as never });
    },
    exported: '/api/accounts/users/?export=xlsx&search_value=来回人',
    // A user name stays with its person for ever.
    async between(rows) {
      rows[1]![rows[0]!.indexOf('用户名')] = 'back';
      const [first] = (await app.admin.get(users.list, { query: { search_value: '来回人' } as never })).value;
      await app.admin.get(users.remove, { params: { id: first!.id } });
    },
  },
};

const imports = () =>
  app.services.product
    .calls()
    .map(({ path }) => path)
    .filter((path) => path.endsWith('/import/'))
    .map((path) => path.slice(0, -'import/'.length));

test('an exported noun can be imported again without an error and without a change', async () => {
  expect(imports().toSorted()).toEqual([...Object.keys(elsewhere), ...Object.keys(circles)].toSorted());
  for (const [prefix, { make, exported, between }] of Object.entries(circles)) {
    await make();
    const read = async () => {
      const sheet = await app.admin.fetch(exported);
      expect(sheet.headers.get('content-type'), prefix).toContain('spreadsheetml');
      return readSheet(Buffer.from(await sheet.arrayBuffer()));
    };
    const rows = await read();
    expect(rows.length, prefix).toBeGreaterThan(1);
    await between?.(rows);
    const columns = rows[0]!.map((title, at) => ({
      title,
      kind: 'text' as const,
      value: (row: string[]) => row[at] ?? '',
    }));
    const form = new FormData();
    const bytes = await buffer(writeSheet({ title: '表', columns, rows: rows.slice(1) }));
    form.append('file', new Blob([new Uint8Array(bytes)]), '表.xlsx');
    const sent = await app.admin.fetch(`${prefix}import/?dry_run=false`, { method: 'POST', body: form });
    const { code, msg, data } = (await sent.json()) as { code: number; msg: string; data: { errors: unknown } };
    expect([prefix, code, msg, data.errors]).toEqual([prefix, 0, expect.any(String), []]);
    expect(await read(), prefix).toEqual(rows);
  }
});

test('the template of each import has exactly the titles that the import knows', async () => {
  const templates = app.services.product.calls().filter((call) => call.path.endsWith('/import/template/'));
  expect(templates.map((call) => call.path).toSorted()).toEqual([
    '/api/accounts/users/import/template/',
    '/api/alumnus/import/template/',
    '/api/calendars/import/template/',
    '/api/contract/manage/import/template/',
    '/api/customer/import/template/',
    '/api/supervise/import/template/',
  ]);
  for (const { path } of templates) {
    const sheet = await app.admin.fetch(path);
    expect(sheet.headers.get('content-type'), path).toContain('spreadsheetml');
    const form = new FormData();
    form.append('file', new Blob([await sheet.arrayBuffer()]), '模板.xlsx');
    const tried = await app.admin.fetch(`${path.replace('template/', '')}?dry_run=true`, {
      method: 'POST',
      body: form,
    });
    const { code, msg, data } = (await tried.json()) as { code: number; msg: string; data: { ignored: string[] } };
    expect([path, code, msg, data.ignored]).toEqual([path, 0, expect.any(String), []]);
  }
});
