import { expect, test } from 'vitest';
import { fieldAccess, fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { draftFault } from '#modules/workflow/workflows/engine/identity.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { noticeText, peopleInNotice } from './words/notice-text.ts';

const about = {
  sn: 'QJ1',
  creator: '张三',
  state: '部门审批',
  gmt_created: '2026-11-21 09:00:00',
  names: new Map<string, string>(),
};
const ticket = { title: '张三 事假 2 天', form: { kind: 'personal', from: '2026-11-23', days: 2, reason: '家中有事' } };
const saying = (content_template: string, more: object = {}) =>
  Definition.parse({
    ...leave.definition,
    ...more,
    settings: { ...leave.definition.settings, content_template },
  });
const said = (content_template: string, form: object = {}) =>
  noticeText(saying(content_template), { ...ticket, form: { ...ticket.form, ...form } }, about);
const msgs = (definition: Definition) => publishProblems(definition).map((problem) => problem.msg);

test('a workflow defines in its own words what its notices say', () => {
  expect(said('{workflow}：{title}（{sn}）\n{creator} 于 {gmt_created} 提交，现在“{state}”，{kind} {days} 天')).toBe(
    '请假申请：张三 事假 2 天（QJ1）\n张三 于 2026-11-21 09:00:00 提交，现在“部门审批”，事假 2 天',
  );
  expect([said(''), said('{title}')], 'no more than the title stands there already').toEqual(['', '']);
});

test('form text in a notice can neither fake lines of the notice nor act as a template', () => {
  expect(said('从 {from} 起', { from: '明天\n系统：请点\u202e这里\u0007 {creator}' })).toBe(
    '从 明天 系统：请点 这里 {creator} 起',
  );
  expect([...said('{from}', { from: '字'.repeat(3000) })]).toHaveLength(1000);
});

test('people in the form appear in notices under their names', () => {
  const { settings, fields } = leave.definition;
  const people = [
    ...fields,
    { id: 8, key: 'deputy', name: '代班人', type: fieldType.user },
    { id: 9, key: 'friends', name: '同行人', type: fieldType.users },
  ];
  const definition = Definition.parse({
    ...leave.definition,
    fields: people,
    settings: {
      ...settings,
      content_template: '{deputy} 代班，{friends} 同行',
      display_form: [...settings.display_form!, 'deputy', 'friends'],
    },
  });
  const form = { deputy: 'zhangsan', friends: ['lisi', 'gone'] };
  expect(peopleInNotice(definition, { form })).toEqual(['zhangsan', 'lisi', 'gone']);
  const names = new Map([
    ['zhangsan', '张三'],
    ['lisi', '李四'],
  ]);
  expect(noticeText(definition, { title: '请假', form }, { ...about, names })).toBe('张三 代班，李四、gone 同行');
});

test('a field that is hidden from somebody appears in no notice, even if an older version’s template names it', () => {
  expect(said('{kind}{reason}')).toBe('事假');
});

test('a draft whose notice names an unknown field is refused, and the message says what may be named', () => {
  const fault = draftFault(saying('{kind} {nothing}'));
  expect(fault).toMatch(/^通知内容里的“\{nothing\}”没有对应的字段，请去掉，或改成 \{title\}/);
  expect(draftFault(saying('{标题}'))).toMatch(/“\{标题\}”/);
  expect(draftFault(saying('{kind} {title} {gmt_created}'))).toBeNull();
});

test('a title or notice that names a field hidden from somebody is not published', () => {
  const { settings, states, fields } = leave.definition;
  const titled = (title_template: string, more: object = {}) =>
    Definition.parse({ ...leave.definition, ...more, settings: { ...settings, title_template } });
  expect(msgs(titled('{creator} {kind}'))).toEqual([]);
  expect(msgs(titled('{reason}'))).toEqual([
    '标题模板用了字段“事由”，仅查看者看不到它：请从标题模板里去掉，或加到“仅查看者可见的字段”',
  ]);
  expect(msgs(saying('{reason}'))).toEqual([expect.stringMatching(/^通知内容用了字段“事由”/)]);
  const hiding = states.map((state) =>
    state.id === 3 ? { ...state, access: { ...state.access, kind: fieldAccess.hidden } } : state,
  );
  const [problem] = publishProblems(titled('{kind}', { states: hiding }));
  expect(problem).toMatchObject({ kind: 'state', key: states.find((state) => state.id === 3)!.key });
  expect(problem!.msg).toMatch(/标题模板用了字段“.+”，环节“.+”却不显示它/);
  const rich = fields.map((field) => (field.key === 'kind' ? { ...field, type: fieldType.richtext } : field));
  expect(msgs(titled('{kind}', { fields: rich }))).toContainEqual(expect.stringMatching(/富文本/));
});
