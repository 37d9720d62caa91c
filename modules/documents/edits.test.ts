import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { audit } from '#modules/audit/contract.ts';
import { documents } from './contract.ts';
import { openSchool, type School } from './testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
}, 60_000);
afterAll(() => school.office.close());

const patch = (who: School['author'], id: number, body: object) => who.get(documents.patch, { params: { id }, body });

describe('a change of a document', () => {
  test('stands in the operation log with what was before and after, under Chinese titles', async () => {
    const { head, office, write } = school;
    const { id } = await write({ body_html: '现将期末考试安排通知如下。' });
    await patch(head, id, {
      body_html: '现将期末考试时间安排通知如下。',
      main_send: [{ type: 'org', name: '各部门' }],
    });
    const { value } = await office.admin.get(audit.list, { query: { action: '编辑公文' } });
    const entry = value.find((row) => row.object_id === String(id))!;
    expect([entry.alias, entry.diff[0]!.fields]).toEqual([
      '李处长',
      [
        { field: '主送', before: '各学院', after: '各部门' },
        { field: '正文', before: '现将期末考试安排通知如下。', after: '现将期末考试时间安排通知如下。' },
      ],
    ]);
  });
});
