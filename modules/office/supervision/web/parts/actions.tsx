import { fileKinds } from '#kernel/contract/upload.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldsOf, type Instead } from '#kernel/web/kit/form/fields.ts';
import { useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { opinionType, requestKind, subState } from '../../contract/codes.ts';
import { opinions, progress, requests, sheets } from '../../contract/hung.ts';
import { items, subs } from '../../contract/supervise.ts';
import { StagesInput } from './StagesInput.tsx';

const picked = (Picker: typeof PersonPicker | typeof DeptPicker, more: object) => ({
  render: (control: FieldControl) => <Picker {...(control as object)} {...more} />,
});
const person = picked(PersonPicker, { by: 'id' });
const people = picked(PersonPicker, { by: 'id', multiple: true });
const dept = picked(DeptPicker, {});
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
/** The inputs of fields in all forms; the rest follow from their schema. */
const inputs: Instead = {
  owner: person,
  leader: person,
  supervisor: person,
  to: person,
  co_users: people,
  at_users: people,
  lead_dept: dept,
  dept,
  co_depts: picked(DeptPicker, { multiple: true }),
  files: attached,
  attachments: attached,
};
/** The fields of an item's form, from the schema of its body. */
export const itemFields = (more: Readonly<Record<string, Partial<FormField>>> = {}): FormField[] =>
  fieldsOf(items.create.body!.shape, { from: null, ...inputs, ...more });

/** The target of an action: an item, a part, or one of a part's reports, opinions, requests or sheets. */
export interface Target {
  id: number;
  title: string;
  due_at?: string | null;
  progress?: number;
  version?: number;
  stages?: readonly { no: number; title: string; evidence: boolean; done_at: string | null }[];
  parts?: readonly { id: number; title: string; status: number }[];
  kind?: number;
  apply_due?: string | null;
}
const stages = { stages: { render: (control: FieldControl) => <StagesInput {...control} /> } };
const inForm = (text: string | null | undefined) => text?.slice(0, 16).replace(' ', 'T');
const kept = (row: Target) => ({ ...row, due_at: inForm(row.due_at) });
const versioned = ({ version }: Target) => ({ version });
const partsField = (row: Target, open: boolean) => ({
  kind: 'select' as const,
  options: (row.parts ?? [])
    .filter((part) => (part.status === subState.finished) !== open && part.status !== subState.cancelled)
    .map((part) => ({ value: part.id, label: part.title })),
});
const result = (...names: [string, string]): Partial<FormField> => ({
  kind: 'select',
  options: names.map((label, at) => ({ value: at + 1, label })),
});
const agrees = (values: Record<string, unknown>) => values['result'] === 1;
const asks = (kind: number, label: string, ...only: string[]): Act<Target> => ({
  label,
  call: requests.create,
  also: (row) => ({ sub_id: row.id, kind }),
  only: ['reason', ...only, 'files'],
});
const acts: Acts<Target> = {
  issue: {
    label: '交办',
    call: items.issue,
    confirm: (row) => `将通知 ${row.parts?.length ?? 0} 项子任务的责任人，并编号下发督办通知单`,
  },
  finish: {
    label: '办结',
    call: items.finish,
    initial: { result: 1 },
    instead: (row) => ({
      result: result('同意办结', '退回继续办理'),
      // Shown where a reason is required: for a return, and for completion with open parts.
      reason: {
        needed: true,
        when: (values) =>
          !agrees(values) ||
          (row.parts ?? []).some(({ status }) => status !== subState.finished && status !== subState.cancelled),
      },
      subs: { ...partsField(row, false), when: (values) => !agrees(values) },
      finish_note: { needed: true, when: agrees },
      score: { when: agrees },
    }),
  },
  apply_finish: { label: '申请办结', call: items.applyFinish },
  sheet: {
    label: '下发督办单',
    call: sheets.issue,
    initial: { colour: 1 },
    instead: (row) => ({ sub_ids: partsField(row, true) }),
  },
  speak: {
    label: '发表意见',
    call: opinions.create,
    also: (row) => ({ supervise_id: row.id }),
    initial: { type: opinionType.undertaker },
  },
  reopen: {
    label: '回头看',
    call: items.reopen,
    instead: (row) => ({
      subs: { ...partsField(row, false), help: '不选则全部' },
    }),
  },
  terminate: { label: '终止', call: items.terminate, danger: true },
  add_sub: {
    label: '新增子任务',
    call: subs.create,
    also: (row) => ({ supervise_id: row.id }),
    initial: (row) => ({ due_at: inForm(row.due_at), weight: 1 }),
    instead: stages,
  },
  edit: { label: '修改', call: items.update, initial: kept, also: versioned },
  delete: { label: '删除', call: items.remove, danger: true, leaves: 'supervise/list' },
  report: {
    label: '反馈',
    call: progress.report,
    also: (row) => ({ sub_id: row.id }),
    initial: (row) => ({ percent: row.progress ?? 0 }),
    instead: (row) => ({
      percent: { help: `已认可 ${row.progress ?? 0}%` },
      reason: { when: (values) => Number(values['percent']) < (row.progress ?? 0) },
      stages: {
        kind: 'select',
        when: () => (row.stages?.length ?? 0) > 0,
        options: (row.stages ?? []).map((stage) => ({
          value: stage.no,
          label: `${stage.title}${stage.done_at ? '（已完成）' : stage.evidence ? '（须附件佐证）' : ''}`,
        })),
      },
    }),
  },
  update: { label: '修改任务', call: subs.update, initial: kept, also: versioned, instead: stages },
  hand_on: { label: '更换责任人', call: subs.update, only: ['owner'] },
  extend: {
    ...asks(requestKind.extend, '申请延期', 'done_so_far', 'apply_due'),
    instead: { done_so_far: { needed: true }, apply_due: { needed: true } },
  },
  object: asks(requestKind.object, '提出异议', 'to'),
  reassign: { ...asks(requestKind.reassign, '申请改派', 'to'), instead: { to: { needed: true } } },
  cancel: { label: '取消任务', call: subs.cancel, danger: true },
  drop: { label: '删除', call: subs.remove, danger: true },
  check: {
    label: '审核',
    call: progress.check,
    initial: { result: 1 },
    instead: { result: result('通过', '退回') },
  },
  decide: {
    label: '决定',
    call: requests.check,
    initial: (row) => ({ result: 1, due_at: inForm(row.apply_due) }),
    instead: (row) => ({
      result: result('同意', '驳回'),
      due_at: { when: (values) => row.kind === requestKind.extend && agrees(values) },
      with_item: { when: (values) => row.kind === requestKind.extend && agrees(values) },
    }),
  },
  withdraw: { label: '撤回', call: requests.withdraw, confirm: '撤回后可以重新提出' },
  receive: { label: '签收', call: sheets.receive },
  answer: { label: '答复', call: sheets.receive, instead: { answer: { needed: true } } },
};
/** Actions of an item, of a part, and of a part's reports, requests and sheets. */
export const ofItem = [
  'issue',
  'finish',
  'apply_finish',
  'sheet',
  'speak',
  'reopen',
  'terminate',
  'add_sub',
  'edit',
  'delete',
];
export const ofPart = ['report', 'update', 'hand_on', 'extend', 'object', 'reassign', 'cancel', 'drop'];

/** The buttons of open actions and their drawer. `whenGone` runs after an item is deleted. */
export function useSuperviseActs(whenGone: () => void = () => undefined) {
  const gone = { ...acts['delete']!, onLeft: whenGone };
  return useActs<Target>('supervise', { ...acts, delete: gone }, inputs);
}
