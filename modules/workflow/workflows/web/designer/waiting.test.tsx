import { fireEvent, screen } from '@testing-library/react';
import { useReducer, useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { ok } from '#kernel/web/testing/server.ts';
import { participantType } from '../../engine/codes.ts';
import type { Participant } from '../../engine/definition.ts';
import { Definition } from '../../engine/definition.ts';
import type { Design } from '../../contract/design.ts';
import { leave } from '../../engine/gallery/leave.ts';
import { fileOf, readFile } from '../list/import.ts';
import { nodeText } from '../node-text.ts';
import { AfterwardSettings } from '../settings/AfterwardSettings.tsx';
import { ParticipantEditor } from '../state/people/ParticipantEditor.tsx';
import { names } from '../testing/names.ts';
import { timeText } from '../timer-text.ts';
import { differences } from '../versions/differences.ts';
import type { Draft } from './state/draft.ts';
import { addState, addTransition, changeSettings, changeState, changeTransition } from './state/edits.ts';
import { marksOf, problemsOf, unfinished } from './state/problems.ts';
import { SelectionPanel } from './parts/SelectionPanel.tsx';
import type { Selection } from './state/selection.ts';
import type { Designer } from './state/useDesigner.ts';

const delayed = addTransition(addState(leave.definition, 5, 'delay', { x: 0, y: 0 }), 7, 5, 4);
const stateIn = (draft: Draft, id: number) => draft.states.find((one) => one.id === id) ?? expect.fail(String(id));
const server = servedPage();
let latest: Draft;

/** The panel of the selected item, with the draft in its state. */
function Held({ first, chosen }: { first: Draft; chosen: NonNullable<Selection> }) {
  const [draft, edit] = useReducer((now: Draft, change: (draft: Draft) => Draft) => change(now), first);
  const [selection, onSelect] = useState<Selection>(chosen);
  latest = draft;
  const problems = problemsOf(draft);
  const designer = { draft, edit, problems, ids: { state: 9, transition: 9, field: 9 } } as unknown as Designer;
  return <SelectionPanel designer={designer} names={names} selection={selection} onSelect={onSelect} />;
}
async function pick(label: string, option: string) {
  const select = screen.getByLabelText(label);
  fireEvent.mouseDown(select.closest('.ant-select') ?? select);
  fireEvent.click(await screen.findByTitle(option));
}
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

test('times are shown in the largest unit in which they are whole, but never in working days', () => {
  const text = (timer: number, timer_working_time = false) => timeText({ timer, timer_working_time });
  expect([text(0), text(172_800), text(7200), text(5400), text(86_400, true)]).toEqual([
    '',
    '2 天',
    '2 小时',
    '90 分钟',
    '24 个工作小时',
  ]);
});

test('a button gets a timer in any unit, and its state shows it', async () => {
  show(<Held first={leave.definition} chosen={{ kind: 'transition', id: 3, branch: null }} />);
  type('多久无人操作后自动执行', '2');
  expect(latest.transitions[2]).toMatchObject({ timer: 7200, timer_working_time: false });
  await pick('时间单位', '天');
  expect(latest.transitions[2]).toMatchObject({ timer: 172_800 });
  await pick('时间的算法', '只算工作时间');
  expect(latest.transitions[2]).toMatchObject({ timer: 172_800, timer_working_time: true });
  expect(nodeText(stateIn(latest, 2), latest, names)).toBe('部门负责人 · 48 个工作小时后自动“同意”');
  const change = differences(leave.definition, latest, names)[0]?.lines;
  expect(change).toEqual([{ what: '定时', before: '无', after: '48 个工作小时' }]);
});

test('the start offers no timer, and an imported one is marked and can be removed', () => {
  const timed = changeTransition(leave.definition, 2, { timer: 3600 });
  show(<Held first={timed} chosen={{ kind: 'transition', id: 2, branch: null }} />);
  expect(marksOf(timed, problemsOf(timed)).get(1)?.join()).toContain('不能定时');
  expect(screen.getByRole('alert').textContent).toContain('不能定时');
  type('多久无人操作后自动执行', '0');
  expect(latest.transitions[1]?.timer).toBe(0);
  expect(screen.queryByLabelText('多久无人操作后自动执行')).toBeNull();
});

test('a delay state asks for its time, is marked until it has one, and shows it on its node', () => {
  show(<Held first={delayed} chosen={{ kind: 'state', id: 5 }} />);
  expect(marksOf(delayed, problemsOf(delayed)).get(5)?.join()).toContain('要设置等待的时间');
  expect(nodeText(stateIn(delayed, 5), delayed, names)).toBe('未设置等待时间');
  type('等待多久', '8');
  expect(latest.transitions.at(-1)).toMatchObject({ source: 5, timer: 28_800 });
  expect(nodeText(stateIn(latest, 5), latest, names)).toBe('等 8 小时');
  expect(screen.queryByRole('tab')).toBeNull();
});

test('an automatic transition has no button settings', () => {
  show(<Held first={delayed} chosen={{ kind: 'transition', id: 7, branch: null }} />);
  expect(screen.getByLabelText('等待多久')).toBeDefined();
  expect(screen.queryByText('检查必填字段')).toBeNull();
  expect(screen.getByText('自动执行，没有人看到这个按钮')).toBeDefined();
});

test('a state for child tickets has its own people and one exit, and says what it waits for', () => {
  const below = addTransition(addState(leave.definition, 5, 'subticket', { x: 0, y: 0 }), 7, 5, 4);
  show(<Held first={below} chosen={{ kind: 'state', id: 5 }} />);
  expect(screen.getByRole('tab', { name: '办理人' })).toBeDefined();
  expect(screen.getByText(/由办理人发起下级工单/)).toBeDefined();
  expect(marksOf(below, problemsOf(below)).get(5)?.join()).toContain('没有设置办理人');
  const asked = changeState(below, 5, { participants: [{ type: participantType.variable, variable: 'creator' }] });
  expect(nodeText(stateIn(asked, 5), asked, names)).toBe('发起人 · 等下级工单办结');
  const twice = addTransition(asked, 8, 5, 4);
  expect(marksOf(twice, problemsOf(twice)).get(5)?.join()).toContain('只能有一个流转');
});

test('people of the parent ticket are named by the key of its field, typed or chosen from a workflow', async () => {
  server.answers(({ path }) =>
    path.endsWith('/custom_fields/')
      ? ok({ value: leave.definition.fields.map((field) => ({ ...field, type: 60 })), version: 1 })
      : ok({ value: [{ id: 3, name: '采购', actions: ['design'] }], total: 1, page: 1, per_page: 100 }),
  );
  let chosen: readonly Participant[] = [{ type: participantType.parentField, field: '' }];
  function People() {
    const [value, onChange] = useState(chosen);
    chosen = value;
    return <ParticipantEditor value={value} definition={leave.definition} names={names} onChange={onChange} />;
  }
  show(<People />);
  type('上级工单的人员字段', ' manager ');
  expect(chosen).toEqual([{ type: participantType.parentField, field: 'manager' }]);
  await pick('上级流程', '采购');
  fireEvent.mouseDown(screen.getByLabelText('上级工单的人员字段'));
  type('上级工单的人员字段', 'd');
  expect(await screen.findByTitle('天数（days）')).toBeDefined();
});

test('a calling state asks which system to call, and offers only web hooks', async () => {
  const calling = addTransition(addState(leave.definition, 5, 'hook', { x: 0, y: 0 }), 7, 5, 4);
  server.answers(() =>
    ok({
      value: [
        { id: 8, name: '资产系统', type_id: 1, type_name: '网络钩子' },
        { id: 9, name: '值班群', type_id: 2, type_name: '企业微信' },
      ],
    }),
  );
  show(<Held first={calling} chosen={{ kind: 'state', id: 5 }} />);
  expect(marksOf(calling, problemsOf(calling)).get(5)?.join()).toContain('要选择一个调用的通知方式');
  expect(nodeText(stateIn(calling, 5), calling, names)).toBe('未选择调用');
  await pick('调用', '资产系统');
  expect(stateIn(latest, 5).participants).toEqual([{ type: participantType.hook, hook: 8 }]);
  expect(screen.queryByTitle('值班群')).toBeNull();
  expect(nodeText(stateIn(latest, 5), latest, names)).toBe('通知外部系统');
});

test('a call may wait for its answer; then each exit says when it is taken and each field whether it may be filled in', async () => {
  const calling = addTransition(addState(leave.definition, 5, 'hook', { x: 0, y: 0 }), 7, 5, 4);
  server.answers(() => ok({ value: [{ id: 8, name: '资产系统', type_id: 1, type_name: '网络钩子' }] }));
  show(<Held first={calling} chosen={{ kind: 'state', id: 5 }} />);
  expect(screen.queryByRole('tab', { name: '字段权限' })).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: '等对方回答后再继续' }));
  expect(stateIn(latest, 5).waits).toBe(true);
  expect(await screen.findByRole('tab', { name: '字段权限' })).toBeDefined();
  expect(marksOf(latest, problemsOf(latest)).get(5)?.join()).toContain('等外部系统回答，要有两个流转');
  expect(marksOf(latest, problemsOf(latest)).get(5)?.join()).toContain('外部系统一直不回答时走它');
});

test('the people of a state may be named by another system', async () => {
  const draft = changeState(leave.definition, 2, { participants: [{ type: participantType.external, hook: 0 }] });
  expect(unfinished(draft).map((one) => one.msg)).toEqual(['环节“部门负责人审批”的办理人没有填写完整']);
  server.answers(({ path }) =>
    ok(path.includes('notices') ? { value: [{ id: 8, name: '专家库', type_id: 1, type_name: '网络钩子' }] } : []),
  );
  show(<Held first={draft} chosen={{ kind: 'state', id: 2 }} />);
  await pick('网络钩子', '专家库');
  expect(stateIn(latest, 2).participants).toEqual([{ type: participantType.external, hook: 8 }]);
  expect(screen.getByText(/^到这里时向外部系统要办理人/)).toBeDefined();
});

test('a state whose people are not filled in is reported', () => {
  const draft = changeState(leave.definition, 2, { participants: [{ type: participantType.parentField, field: '' }] });
  expect(unfinished(draft).map((one) => one.msg)).toEqual(['环节“部门负责人审批”的办理人没有填写完整']);
});

test('the fate of child tickets after the end and the closing is chosen in words', async () => {
  function Held() {
    const [draft, setDraft] = useState<Draft>(leave.definition);
    latest = draft;
    return <AfterwardSettings settings={draft.settings} onChange={(part) => setDraft(changeSettings(draft, part))} />;
  }
  show(<Held />);
  await pick('办结后作废', '由有干预权限的人员或发起人作废');
  await pick('工单关闭或由发起人撤回时，还在办的下级工单', '继续办理');
  await pick('撤回时，还在办的下级工单', '随撤回一并关闭');
  await pick('办理人离岗（账号停用或删除）后，只等他一人处理的待办', '转给流程管理员');
  expect(latest.settings).toMatchObject({
    revoke: 'creator',
    children_on_close: 'keep',
    children_on_retreat: 'close',
    on_leaving: 'admins',
  });
  expect(differences(leave.definition, latest, names)[0]?.lines.map((one) => one.what)).toEqual([
    '办结后作废',
    '关闭时的下级工单',
    '办理人离岗后',
    '撤回时的下级工单',
  ]);
});

test('a designed workflow with timers, calls and child tickets survives export and import unchanged', () => {
  const people = [{ type: participantType.parentField, field: 'manager' } as const];
  const waiting = changeTransition(delayed, 7, { timer: 5400, timer_working_time: true });
  const made = changeSettings(
    changeState(addState(waiting, 6, 'subticket', { x: 0, y: 9 }), 6, { participants: people }),
    {
      revoke: 'creator',
      children_on_close: 'keep',
    },
  );
  const definition = Definition.parse(changeState(made, 2, { actions: ['sign'] }));
  const design = { name: '请假', description: '', icon: '', category: '', module: 'meetings', definition };
  expect(readFile(fileOf(design as unknown as Design))).toMatchObject({ definition, module: 'meetings' });
});
