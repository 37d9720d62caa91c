import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import { designCalls } from './contract/design.ts';
import { releaseCalls } from './contract/release.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.office.close());

test('a simulation shows parallel branches side by side, and their join once', async () => {
  const { office: app, staff } = school;
  const { id } = await app.admin.get(designCalls.add, { body: { name: '并行的流程' } });
  const { definition } = await app.admin.get(designCalls.get, { params: { id } });
  const [start, approve, done] = definition.states;
  const [save, submit, agree] = definition.transitions;
  const way = (no: number, source: number, destination: number) => ({
    ...agree!,
    id: no,
    key: `way_${no}`,
    name: `流转${no}`,
    source,
    destination,
  });
  const automatic = (no: number, kind: 'parallel_split' | 'join', name: string) => ({
    ...done!,
    id: no,
    key: kind,
    name,
    kind,
    order: no,
  });
  const parallel = {
    ...definition,
    states: [
      start!,
      { ...approve!, name: '部门意见' },
      done!,
      automatic(4, 'parallel_split', '同时办理'),
      {
        ...approve!,
        id: 5,
        key: 'second',
        name: '分管意见',
        participants: [{ type: 5 as const, variable: 'dept_ld' as const }],
      },
      automatic(6, 'join', '汇合'),
    ],
    transitions: [
      save!,
      { ...submit!, destination: 4 },
      way(3, 4, 2),
      way(4, 4, 5),
      way(5, 2, 6),
      way(6, 5, 6),
      way(7, 6, 3),
    ],
  };
  const saved = await app.admin.get(designCalls.change, { params: { id }, body: { definition: parallel } });
  expect(saved.problems).toEqual([]);
  const walked = await app.admin.get(releaseCalls.simulate, {
    params: { id },
    body: { applicant: staff.username, values: { title: '并行' } },
  });
  expect(
    walked.steps.map((step) => [step.state_name, step.outcome, step.people.map((one) => one.alias).join()]),
  ).toEqual([
    ['发起', 'decided', '张三'],
    ['同时办理', 'automatic', ''],
    ['部门意见', 'decided', '李四'],
    ['分管意见', 'decided', '王五'],
    ['汇合', 'automatic', ''],
    ['完成', 'ended', ''],
  ]);
  expect([walked.finishes, walked.stop]).toEqual([true, '']);
});
