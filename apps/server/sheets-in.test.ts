import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => void (app = await openTestApp()));
afterAll(() => app.close());

test('the template of each sheet that is taken in has the titles that its import knows, and no other', async () => {
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
