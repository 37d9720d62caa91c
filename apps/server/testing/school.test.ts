import { afterAll, beforeAll, expect, test } from 'vitest';
import { forbidden } from '#kernel/contract/refusal.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { notOffered } from '#modules/workflow/tickets/contract/refusals.ts';
import { form } from '#modules/workflow/tickets/testing/repair.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { openSchool, type School } from './school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.office.close());

test('a test ticket is started, decided and advanced to a state or its end by its button names', async () => {
  const { staff, head, begin, press, approve, standsIn } = school;
  const { id } = await begin(staff, 'it_service', { ...form, amount: 9000 });
  await approve(id, { until: '分管领导审批' });
  expect(await standsIn(id)).toEqual({ act_state: actState.ongoing, states: ['分管领导审批'] });
  expect(await press(head, id, '同意', { at: '部门负责人审批' })).toRefuse(notOffered);
  await approve(id, { fill: { 服务处理: { result: '已修好' } } });
  expect((await standsIn(id)).act_state).toBe(actState.finished);
  await expect(press(head, id, '同意')).rejects.toThrow('more than one button 同意');
  await expect(approve(id, { until: '服务处理' })).rejects.toThrow('never came to 服务处理');
});

test('a test recognises a refusal by its name, with any or with given values', async () => {
  const nobody = await school.office.signIn(await school.office.person());
  const answer = await nobody.ask(documents.create, { body: { doc_kind: 1, title: '样本' } });
  expect(answer).toRefuse(forbidden);
  expect(answer).toRefuse(forbidden, '拟稿、登记公文');
  expect(answer).not.toRefuse(forbidden, '查看');
  expect(answer).not.toRefuse(notOffered);
  expect({ code: 0, msg: '' }).not.toRefuse(forbidden);
});
