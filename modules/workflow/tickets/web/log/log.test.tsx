import { expect, test } from 'vitest';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflow/workflows/contract/shapes.ts';
import type { FlowLog } from '../../contract/shapes.ts';
import { differencesOf, since } from './differences.ts';
import { askedBy } from './AskedFor.tsx';
import { opinionsOf, sentencesOf } from './opinions.ts';
import { whyOf } from './WhyMe.tsx';

const log = (seq: number, part: Partial<FlowLog>): FlowLog => ({
  id: seq,
  seq,
  ticket_id: 1,
  state: { state_id: 2, state_name: '部门负责人审批', state_label: {} },
  transition: { transition_id: 3, transition_name: '同意', attribute_type_id: 1 },
  intervene_type_id: 0,
  action: 'handle',
  participant_info: { id: 5, username: 'song', alias: '宋明杰', dept_id: 1, dept_name: '' },
  on_behalf_of: null,
  suggestion: '',
  corrected: false,
  mine: false,
  signature: null,
  files: [],
  reasons: [],
  gmt_created: '2026-11-21 09:30:00',
  ...part,
});
const skip = log(2, {
  action: 'skip',
  participant_info: null,
  transition: { transition_id: 0, transition_name: '自动跳过', attribute_type_id: 3 },
  suggestion: '办理人本轮已经同意过，自动跳过',
  reasons: ['办理人本轮已经同意过，自动跳过（刘翰林）'],
});
const field = (key: string, type: number, part: Partial<FieldItem> = {}) =>
  ({
    field_key: key,
    field_name: key,
    field_type_id: type,
    field_choice: {},
    boolean_field_display: { '1': '是', '0': '否' },
    ...part,
  }) as FieldItem;

test('the timeline gives the reason of an automatic skip once', () => {
  expect(sentencesOf(skip)).toEqual({ words: '', reasons: ['办理人本轮已经同意过，自动跳过（刘翰林）'] });
  expect(sentencesOf(log(1, { suggestion: '同意', reasons: ['符合条件'] })).words).toBe('同意');
});

test('a row of the log shows what it changed with the labels of choices, and the first row shows no changes', () => {
  const items = [
    field('kind', fieldType.radio, { field_choice: { sick: '病假', own: '事假' } }),
    field('days', fieldType.float),
    field('rows', fieldType.table),
  ];
  const logs = [
    log(1, { ticket_data: { kind: 'own', days: 2 } }),
    log(2, { ticket_data: { kind: 'sick', days: 2, rows: [{}, {}] } }),
    log(3, { ticket_data: { kind: 'sick', days: 2, rows: [{}, {}] } }),
  ];
  expect([...differencesOf(logs, items)]).toEqual([
    [
      2,
      [
        { key: 'kind', name: 'kind', from: '事假', to: '病假' },
        { key: 'rows', name: 'rows', from: '（空）', to: '2 行' },
      ],
    ],
  ]);
});

test('the log names people, also those in table rows, and shows each row’s own changes', () => {
  const who = field('who', fieldType.user);
  const items = [who, field('rows', fieldType.table, { columns: [{ ...who, field_name: '负责人' } as never] })];
  const logs = [
    log(1, {
      ticket_data: { who: 'song', rows: [{ who: 'song' }, { who: 'liu' }] },
      ticket_people: { song: '宋明杰' },
    }),
    log(2, { ticket_data: { who: 'liu', rows: [{ who: 'liu' }, { who: 'liu' }] }, ticket_people: { liu: '刘翰林' } }),
  ];
  expect(
    differencesOf(logs, items)
      .get(2)
      ?.map(({ from, to }) => `${from} → ${to}`),
  ).toEqual(['宋明杰 → 刘翰林', '第 1 行负责人 宋明杰 → 第 1 行负责人 刘翰林']);
});

test('a ticket says why it waits for the viewer: the last action that moved it, and what the workflow did after', () => {
  const talk = log(3, { action: 'comment', suggestion: '快一点' });
  expect(whyOf([log(1, { suggestion: '情况属实' }), skip, talk])).toEqual([
    '宋明杰 2026-11-21 09:30 在“部门负责人审批”办理：同意，情况属实',
    '系统 2026-11-21 09:30 在“部门负责人审批”办理：自动跳过',
    '办理人本轮已经同意过，自动跳过（刘翰林）',
  ]);
});

test('a person who gets a ticket back, or owes an opinion, is shown the words of the person who asked', () => {
  const asked = log(1, { action: 'add_node', suggestion: '请核对值班安排' });
  const back = log(2, { action: 'return', suggestion: '请写明去哪里' });
  const talk = log(3, { action: 'comment', suggestion: '顺便问一下' });
  const may = (code: 'submit' | 'add_node_end' | 'comment', act_state_id: number) =>
    ({ act_state_id, transitions: [{ code, task_no: code === 'comment' ? null : 4 }] }) as Parameters<
      typeof askedBy
    >[0];
  expect(askedBy(may('submit', 2), [talk, back, asked])?.suggestion).toBe('请写明去哪里');
  expect(askedBy(may('add_node_end', 1), [talk, asked])?.suggestion).toBe('请核对值班安排');
  expect(askedBy(may('comment', 2), [talk, back, asked]), 'others owe nothing').toBeUndefined();
  expect(askedBy(may('submit', 1), [log(4, {}), back]), 'it has gone on since').toBeUndefined();
});

test('a printed sheet lists decisions with delegated names, and leaves out drafts and comments', () => {
  const actions = [
    log(1, { action: 'save' }),
    log(2, { on_behalf_of: { id: 6, username: 'liu', alias: '刘翰林', dept_id: null, dept_name: '' } }),
    log(3, { action: 'comment' }),
  ];
  expect(opinionsOf(actions).map(({ who, did }) => `${who}：${did}`)).toEqual(['宋明杰（代 刘翰林）：同意']);
});

test('the differences since a decision list only changed fields, with their old and new values', () => {
  const items = [
    { ...field('金额', fieldType.float), field_value: 6000, field_people: {} },
    { ...field('事由', fieldType.string), field_value: '会议', field_people: {} },
    { ...field('经办', fieldType.user), field_value: 'li', field_people: { li: '李四' } },
  ] as FieldItem[];
  const told = since({ was: { 金额: 5000, 经办: 'zhang' }, people: { zhang: '张三' } }, items);
  expect(told.map(({ name, from, to }) => [name, from, to])).toEqual([
    ['金额', '5000', '6000'],
    ['经办', '张三', '李四'],
  ]);
});
