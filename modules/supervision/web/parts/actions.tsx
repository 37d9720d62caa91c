import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { Calls } from '#kernel/contract/call.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import { fileKinds } from '#kernel/contract/upload.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { FilesInput } from '#modules/files/widgets.tsx';
import { DeptPicker, PersonPicker } from '#modules/people/widgets.tsx';
import { colours, cycles, levels, opinionTypes, requestKind, sources } from '../../contract/codes.ts';
import { opinions, progress, requests, sheets } from '../../contract/hung.ts';
import { items, subs } from '../../contract/supervise.ts';

type AnyCall = Calls[string];
const choices = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));
const person = (multiple?: true) => (control: FieldControl) => (
  <PersonPicker {...(control as object)} by="id" {...(multiple ? { multiple } : {})} />
);
const dept = (multiple?: true) => (control: FieldControl) => (
  <DeptPicker {...(control as object)} {...(multiple ? { multiple } : {})} />
);
const attached = {
  render: ({ value, onChange, ...control }: FieldControl) => (
    <FilesInput
      {...control}
      label="附件"
      module="supervision"
      value={(value as number[]) ?? []}
      onChange={(ids) => onChange?.(ids)}
      accept={fileKinds.map((kind) => `.${kind}`).join(',')}
    />
  ),
};
const many = { kind: 'textarea' } as const;
const when = { kind: 'datetime-local' } as const;
const one = { kind: 'select' } as const;
/** How a field is filled in, whichever form it stands in; what is not here follows from its schema. */
const kinds: Readonly<Record<string, Partial<FormField>>> = {
  ...Object.fromEntries(['owner', 'leader', 'supervisor', 'to'].map((key) => [key, { render: person() }])),
  ...Object.fromEntries(['co_users', 'at_users'].map((key) => [key, { render: person(true) }])),
  ...Object.fromEntries(
    [
      'content',
      'requirement',
      'reason',
      'problem',
      'next_plan',
      'opinion',
      'finish_note',
      'done_so_far',
      'answer',
      'due_reason',
    ].map((key) => [key, many]),
  ),
  ...Object.fromEntries(['due_at', 'apply_due', 'answer_by'].map((key) => [key, when])),
  lead_dept: { render: dept() },
  dept: { render: dept() },
  co_depts: { render: dept(true) },
  files: attached,
  attachments: attached,
  start_date: { kind: 'date' },
  is_public: { kind: 'switch', help: '公开后人人可见标题、部门、时限、灯和认可的进度，看不到反馈内容' },
  is_finish: { kind: 'switch', help: '须完成 100%' },
  with_item: { kind: 'switch' },
  source: { ...one, options: choices(sources) },
  level: { ...one, options: choices(levels), help: '紧急事项的办结、终止和延期由批示领导决定' },
  feedback_cycle: { ...one, options: choices(cycles) },
  colour: { ...one, options: choices(colours).slice(1), help: '蓝：临期提醒；黄：滞后或办理不力；红：逾期' },
  type: { ...one, options: choices(opinionTypes) },
  score: { help: '0–100 分，可以不评' },
};
/** The fields of a call's own form, by the titles of its schema. */
export function fieldsOf(call: AnyCall, more: Readonly<Record<string, Partial<FormField>>> = {}): FormField[] {
  const { shape } = call.body as unknown as z.ZodObject;
  return Object.entries(shape).flatMap(([name, schema]) => {
    const label = titleOf(schema);
    return label ? [{ name, label, ...kinds[name], ...more[name] }] : [];
  });
}

/** What a action is done to: an item, one of its parts, or what hangs on them. */
export interface Target {
  id: number;
  title: string;
  due_at?: string | null;
  progress?: number;
  version?: number;
  stages?: readonly { no: number; title: string; evidence: boolean; done_at: string | null }[];
  parts?: readonly { id: number; title: string; status: number }[];
  [more: string]: unknown;
}
interface ActionForm {
  label: string;
  call: AnyCall;
  /** Sent besides. */
  also?: (row: Target) => object;
  initial?: (row: Target) => object;
  fields?: (row: Target) => Readonly<Record<string, Partial<FormField>>>;
  only?: readonly string[];
  danger?: true;
}
const inForm = (text: string | null | undefined) => text?.slice(0, 16).replace(' ', 'T');
const kept = (row: Target) => ({ ...row, due_at: inForm(row.due_at) });
const partsField = (row: Target, open: boolean) => ({
  kind: 'select' as const,
  multiple: true,
  options: (row.parts ?? [])
    .filter((part) => (part.status === 3) !== open && part.status !== 5)
    .map((part) => ({ value: part.id, label: part.title })),
});
const resultField = (yes: string, no: string) => ({
  ...one,
  options: [
    { value: 1, label: yes },
    { value: 2, label: no },
  ],
});
const asks = (kind: number, label: string, ...only: string[]): ActionForm => ({
  label,
  call: requests.create,
  also: (row) => ({ sub_id: row.id, kind }),
  only: ['reason', ...only, 'files'],
});
export const actionForms: Readonly<Record<string, ActionForm>> = {
  issue: { label: '交办', call: items.issue },
  apply_finish: { label: '申请办结', call: items.applyFinish },
  finish: {
    label: '办结',
    call: items.finish,
    initial: () => ({ result: 1 }),
    fields: (row) => ({
      result: resultField('同意办结', '退回继续办理'),
      reason: { help: '退回，或尚有未完成的子任务时填写' },
      subs: { ...partsField(row, false), when: (values) => values['result'] === 2 },
      finish_note: { when: (values) => values['result'] !== 2 },
      score: { ...kinds['score'], when: (values) => values['result'] !== 2 },
    }),
  },
  terminate: { label: '终止', call: items.terminate, danger: true },
  reopen: {
    label: '回头看',
    call: items.reopen,
    fields: (row) => ({
      due_at: { label: '新的时限' },
      subs: { ...partsField(row, false), label: '重新办理的子任务', help: '不选则全部' },
    }),
  },
  sheet: {
    label: '下发督办单',
    call: sheets.issue,
    initial: (row) => ({ colour: 1, sub_ids: row['chosen'] ?? [] }),
    fields: (row) => ({ sub_ids: partsField(row, true) }),
  },
  speak: {
    label: '发表意见',
    call: opinions.create,
    also: (row) => ({ supervise_id: row.id }),
    initial: () => ({ type: 3 }),
  },
  edit: { label: '修改', call: items.update, initial: kept, also: (row) => ({ version: row.version }) },
  add_sub: {
    label: '新增子任务',
    call: subs.create,
    also: (row) => ({ supervise_id: row.id }),
    initial: (row) => ({ due_at: inForm(row.due_at), weight: 1 }),
  },
  update: { label: '修改任务', call: subs.update, initial: kept, also: (row) => ({ version: row.version }) },
  hand_on: { label: '更换责任人', call: subs.update, only: ['owner'] },
  report: {
    label: '反馈',
    call: progress.report,
    also: (row) => ({ sub_id: row.id }),
    initial: (row) => ({ percent: row.progress ?? 0 }),
    fields: (row) => ({
      percent: { help: `已认可 ${row.progress ?? 0}%` },
      reason: { when: (values) => Number(values['percent']) < (row.progress ?? 0) },
      stages: {
        kind: 'select',
        multiple: true,
        when: () => (row.stages?.length ?? 0) > 0,
        options: (row.stages ?? []).map((stage) => ({
          value: stage.no,
          label: `${stage.title}${stage.done_at ? '（已完成）' : stage.evidence ? '（须附件佐证）' : ''}`,
        })),
      },
    }),
  },
  extend: {
    ...asks(requestKind.extend, '申请延期', 'done_so_far', 'apply_due'),
    fields: () => ({ done_so_far: { needed: true }, apply_due: { needed: true } }),
  },
  object: asks(requestKind.object, '提出异议', 'to'),
  reassign: { ...asks(requestKind.reassign, '申请改派', 'to'), fields: () => ({ to: { needed: true } }) },
  cancel: { label: '取消任务', call: subs.cancel, danger: true },
  check: {
    label: '审核',
    call: progress.check,
    initial: () => ({ result: 1 }),
    fields: () => ({ result: resultField('通过', '退回') }),
  },
  decide: {
    label: '决定',
    call: requests.check,
    initial: (row) => ({ result: 1, due_at: inForm(row['apply_due'] as string | null) }),
    fields: (row) => ({
      result: resultField('同意', '驳回'),
      due_at: { when: (values) => row['kind'] === 1 && values['result'] === 1 },
      with_item: { when: (values) => row['kind'] === 1 && values['result'] === 1 },
    }),
  },
  receive: { label: '签收', call: sheets.receive },
};

/** The one drawer of all that may be done: the form of the call itself. */
export function ActionDrawer({ action, row, onClose }: { action: string; row: Target; onClose: () => void }) {
  const { label, call, also, initial, fields, only } = actionForms[action]!;
  const all = fieldsOf(call, fields?.(row));
  const form = {
    name: `supervise:${action}:${row.id}`,
    call,
    params: { id: row.id },
    fields: only ? all.filter((field) => only.includes(field.name)) : all,
    initial: (initial?.(row) ?? {}) as Record<string, unknown>,
    also: (also?.(row) ?? {}) as Record<string, unknown>,
    submit: label,
  };
  return <FormDrawer {...form} open onClose={onClose} onDone={onClose} title={`${label}：${row.title}`} />;
}

/** Buttons of what may be done with a row, and the drawer that they open. */
export function useActions(): {
  buttons: (row: Target & { actions: readonly string[] }, among?: readonly string[], first?: string) => ReactNode;
  open: (action: string, row: Target) => void;
  drawer: ReactNode;
} {
  const [opened, open] = useState<{ action: string; row: Target } | null>(null);
  return {
    open: (action, row) => open({ action, row }),
    buttons: (row, among = Object.keys(actionForms), first) =>
      among
        .filter((action) => row.actions.includes(action) && actionForms[action])
        .map((action) => (
          <Button
            key={action}
            size={first === undefined ? 'small' : 'middle'}
            danger={actionForms[action]!.danger ?? false}
            type={action === first ? 'primary' : 'default'}
            onClick={() => open({ action, row })}
          >
            {actionForms[action]!.label}
          </Button>
        )),
    drawer: opened && <ActionDrawer key={`${opened.action}${opened.row.id}`} {...opened} onClose={() => open(null)} />,
  };
}
