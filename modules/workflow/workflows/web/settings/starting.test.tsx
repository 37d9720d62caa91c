import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { servedPage } from '#kernel/web/testing/page.ts';
import { ok } from '#kernel/web/testing/server.ts';
import { show } from '#kernel/web/testing/show.tsx';
import { timeoutAction } from '../../engine/codes.ts';
import { leave } from '../../engine/gallery/leave.ts';
import type { Draft } from '../designer/state/draft.ts';
import { changeSettings, changeState } from '../designer/state/edits.ts';
import { ActionsTab } from '../state/ActionsTab.tsx';
import { names as nobody } from '../testing/names.ts';
import { differences } from '../versions/differences.ts';
import { changeField, removeField } from '../form/field-edits.ts';
import { DoublesSettings } from './DoublesSettings.tsx';
import { StartForSettings } from './StartForSettings.tsx';
import { StartSettings } from './StartSettings.tsx';

const server = servedPage();
const names = {
  ...nobody,
  role: () => '文员',
  group: () => '代办组',
  roles: [{ code: 'clerk', name: '文员' }],
  groups: [{ id: 4, name: '代办组' }],
};
const before: Draft = leave.definition;
let latest = before;

function Settings() {
  const [draft, set] = useState(before);
  latest = draft;
  const { settings } = draft;
  const change = (part: object) => set((now) => changeSettings(now, part));
  return (
    <>
      <StartSettings limit={settings.limit} names={names} onChange={(limit) => change({ limit })} />
      <StartForSettings
        rules={settings.start_for ?? []}
        names={names}
        onChange={(start_for) => change({ start_for })}
      />
      <DoublesSettings doubles={settings.doubles} fields={draft.fields} onChange={(doubles) => change({ doubles })} />
    </>
  );
}
const open = () => {
  server.answers(() => ok([]));
  show(<Settings />);
};
const choose = (label: string, option: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: label }));
  fireEvent.click(screen.getAllByTitle(option).at(-1)!);
};
const said = () => differences(before, latest, names)[0]?.lines ?? [];

test('a rule about starting for others is added, chosen, compared with the earlier version, and removed', () => {
  open();
  fireEvent.click(screen.getByRole('button', { name: '添加代为发起的人' }));
  const rule = within(screen.getByRole('group', { name: '代他人发起 1' }));
  expect(rule.getByRole<HTMLInputElement>('checkbox', { name: '代为发起的人自己的部门' }).checked).toBe(true);
  fireEvent.mouseDown(rule.getByRole('combobox', { name: '角色' }));
  fireEvent.click(screen.getAllByTitle('文员').at(-1)!);
  choose('用户组', '代办组');
  expect(latest.settings.start_for).toEqual([{ users: [], roles: ['clerk'], groups: [4], own_dept: true, depts: [] }]);
  expect(said()).toEqual([{ what: '代他人发起', before: '无', after: '文员、代办组 代 本部门' }]);
  fireEvent.click(rule.getByRole('button', { name: '删除代他人发起 1' }));
  expect([latest.settings.start_for, said()]).toEqual([undefined, []]);
});

test('people are excluded from those who may start only once the box is ticked, and no longer when it is not', () => {
  open();
  expect(screen.queryByRole('combobox', { name: '排除的角色' })).toBeNull();
  fireEvent.click(screen.getByRole('checkbox', { name: '排除其中的一部分人' }));
  choose('排除的角色', '文员');
  expect(latest.settings.limit.except).toEqual({ users: [], depts: [], roles: ['clerk'] });
  expect(said()).toEqual([{ what: '不可发起', before: '无', after: '文员' }]);
  fireEvent.click(screen.getByRole('checkbox', { name: '排除其中的一部分人' }));
  expect(latest.settings.limit.except).toBeUndefined();
});

test('the fields of a search for doubles are chosen among those that can be compared', () => {
  open();
  fireEvent.click(screen.getByRole('checkbox', { name: '提交时查重' }));
  const [field] = before.fields;
  choose('查重的字段', field!.name);
  choose('重复时', '不允许提交');
  expect(latest.settings.doubles).toEqual({ fields: [field!.key], days: 90, own: false, rule: 'refuse' });
  expect(said()).toEqual([
    { what: '提交时查重', before: '无', after: `${field!.name}在 90 天内与任何人的工单相同时不允许提交` },
  ]);
});

test('the fields of a search for doubles follow a renamed field and lose a removed one', () => {
  const [first, second] = before.fields;
  const doubles = { fields: [first!.key, second!.key], days: 90, own: false, rule: 'ask' as const };
  const draft = changeSettings(before, { doubles });
  expect(changeField(draft, second!.id, { key: 'other' }).settings.doubles?.fields).toEqual([first!.key, 'other']);
  expect(removeField(draft, first!.id).settings.doubles?.fields).toEqual([second!.key]);
});

test('a reminder before the deadline is set in the unit in which the deadline is counted', () => {
  const timed = changeState(before, 2, {
    timeout: { hours: 8, working_time: true, action: timeoutAction.none },
  });
  let now = timed;
  function Held() {
    const [draft, set] = useState(timed);
    now = draft;
    const state = draft.states.find((one) => one.id === 2)!;
    return <ActionsTab state={state} names={names} onChange={(part) => set((old) => changeState(old, 2, part))} />;
  }
  server.answers(() => ok([]));
  show(<Held />);
  expect(screen.getByText('个工作小时提醒')).toBeDefined();
  fireEvent.change(screen.getByRole('spinbutton', { name: '到期前几小时提醒' }), { target: { value: '2' } });
  expect(now.states.find((one) => one.id === 2)!.timeout?.before).toBe(2);
  const [changed] = differences(timed, now, names);
  expect(changed!.lines[0]!.after).toContain('到期前 2 小时提醒');
});
