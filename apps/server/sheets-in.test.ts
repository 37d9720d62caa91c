import { buffer } from 'node:stream/consumers';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
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

type Read = {
  code: number;
  msg: string;
  data: { errors: { row: number; field: string; msg: string }[]; ignored: string[] };
};
function upload(path: string, bytes: Uint8Array): Promise<Response> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), '表.xlsx');
  return app.admin.fetch(path, { method: 'POST', body });
}
const bringIn = async (prefix: string, bytes: Uint8Array, dry = true) =>
  (await (await upload(`${prefix}import/?dry_run=${dry}`, bytes)).json()) as Read;
const sheetOf = ([titles = [], ...lines]: readonly (readonly string[])[]) =>
  buffer(
    writeSheet({
      title: '表',
      columns: titles.map((title, at) => ({
        title,
        kind: 'text' as const,
        value: (line: readonly string[]) => line[at] ?? '',
      })),
      rows: lines,
    }),
  );
const sheetAt = async (path: string) => Buffer.from(await (await app.admin.fetch(path)).arrayBuffer());
/** A sheet whose XML was changed. */
function changed(bytes: Uint8Array, change: (xml: string) => string): Uint8Array {
  const parts = unzipSync(new Uint8Array(bytes));
  const xml = strFromU8(parts['xl/worksheets/sheet1.xml']!);
  return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(change(xml)) });
}

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
    const { code, msg, data } = await bringIn(prefix, await sheetOf(rows), false);
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
    const { code, msg, data } = await bringIn(
      path.replace('import/template/', ''),
      new Uint8Array(await sheet.arrayBuffer()),
    );
    expect([path, code, msg, data.ignored]).toEqual([path, 0, expect.any(String), []]);
  }
});

test('every import names a heading that cannot be read, a last line of errors, and a hidden column that holds something, this in the sheet of errors too', async () => {
  for (const prefix of imports()) {
    const template = await sheetAt(`${prefix}import/template/`);
    const [titles = []] = await readSheet(template);
    const heading = changed(template, (xml) =>
      xml.replace(/<c r="B1"[^>]*>.*?<\/c>/, '<c r="B1" t="e"><v>#REF!</v></c>'),
    );
    const { code, msg } = await bringIn(prefix, heading);
    expect([prefix, code, msg]).toEqual([
      prefix,
      -1,
      '表格第一行的列名读不出来：单元格 B1 是错误值 #REF!，请改正后重新上传',
    ]);
    const last = changed(template, (xml) =>
      xml.replace('</sheetData>', '<row r="3"><c r="A3" t="e"><v>#N/A</v></c></row></sheetData>'),
    );
    expect((await bringIn(prefix, last)).data.errors, prefix).toContainEqual({
      row: 3,
      field: titles[0],
      msg: '单元格 A3 是错误值 #N/A，请改正后重新上传',
    });
    const hidden = changed(template, (xml) => xml.replace('<col min="1" max="1"', '<col min="1" max="1" hidden="1"'));
    expect((await bringIn(prefix, hidden)).data, prefix).toMatchObject({
      valid: 0,
      errors: expect.arrayContaining([
        { row: 1, field: titles[0], msg: '这一列被隐藏了：要导入请取消隐藏，不导入请删去这一列' },
      ]) as unknown,
    });
    const back = await upload(`${prefix}import/errors/`, hidden);
    const [, wrong = []] = await readSheet(Buffer.from(await back.arrayBuffer()));
    expect(wrong[0], prefix).toContain(`${titles[0]}：这一列被隐藏了`);
  }
});

test('every import names a cell in which an export has hidden the digits of a number, whatever the column', async () => {
  for (const prefix of imports()) {
    const [titles = []] = await readSheet(await sheetAt(`${prefix}import/template/`));
    const { data } = await bringIn(prefix, await sheetOf([titles, titles.map(() => '转 135****5000')]));
    const named = data.errors.filter(({ msg }) => msg.startsWith('“')).map(({ field }) => field);
    // An alumnus keeps the number of whom the sheet shows the end.
    const ofStored = prefix === '/api/alumnus/' ? ['手机'] : [];
    expect(named.toSorted(), prefix).toEqual(titles.filter((title) => !ofStored.includes(title)).toSorted());
    expect(
      data.errors.map(({ field }) => field),
      prefix,
    ).toEqual(expect.arrayContaining(titles));
  }
});

test('numbers in the texts of a sheet that was exported are not replaced by their masks when it is imported again', async () => {
  const said = '请电 13500135000';
  await app.admin.get(alumni.add, {
    body: { name: '有号码的校友', student_no: '0014030299', class_name: said, remark: said } as never,
  });
  const person = '/api/alumnus/sms_retrieve/?reason=test&search_value=0014030299';
  const again = await sheetAt(`${person}&export=xlsx`);
  const alumnus = await bringIn('/api/alumnus/', again, false);
  expect(alumnus.data.errors.map(({ row, field }) => [row, field])).toEqual([
    [2, '班级'],
    [2, '备注'],
  ]);
  const { data } = (await (await app.admin.fetch(person)).json()) as { data: { value: unknown[] } };
  expect(data.value).toMatchObject([{ class_name: said, remark: said }]);

  const body = { name: `客服 ${said}`, phone: '13500135000', address: `学号路 13600136000 号`, remark: said };
  await app.admin.get(customers.add, { body: { ...body, dept_id: await app.dept('客服部') } as never });
  const customer = await bringIn(
    '/api/customer/',
    await sheetAt('/api/customer/?export=xlsx&search_value=客服'),
    false,
  );
  expect(customer.data.errors.map(({ field }) => field)).toEqual(['客户名称', '单位电话', '地址', '备注']);
  expect(customer.data.errors[1]!.msg).toBe(
    '“135****5000”隐去了部分数字，导入会丢失原来的号码，请填写完整的号码，或删去',
  );
  expect((await app.admin.get(customers.list, { query: { search_value: '客服' } as never })).value).toMatchObject([
    body,
  ]);
});
