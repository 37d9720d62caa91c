import { App, Select } from 'antd';
import { useState } from 'react';
import { dayOf } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { RowsInput } from '#kernel/web/kit/form/rows/RowsInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import {
  acceptResult,
  authority,
  claimant,
  direction,
  disputeEnd,
  nature,
  planKind,
  registrations,
} from '../../contract/codes.ts';
import { registerCalls, settlement } from '../../contract/performing/register.ts';
import type { ContractDetail } from '../../contract/shapes.ts';
import type { Registrable } from '../../engine/registering.ts';

const scans = '.pdf,.jpg,.jpeg,.png';
const optionsOf = (names: object) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label: String(label) }));
const file = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  render: (control, _values, label) => (
    <FilesField control={control} label={label} module="contracts" accept={scans} one />
  ),
  ...more,
});
const files: FormField = {
  name: 'files',
  help: '付款、收款须上传凭证，手机上可以直接拍照',
  render: (control, _values, label) => (
    <FilesField control={control} label={label} module="contracts" accept={`${scans},image/*`} max={10} />
  ),
};
/** Shown after the number was asked about. */
const again: FormField = { name: 'same_voucher', kind: 'switch' };
const reason: FormField = { name: 'reason', kind: 'textarea' };
const withMoney: readonly number[] = [planKind.payment, planKind.receipt, planKind.deposit, planKind.invoice];

interface Props {
  row: ContractDetail;
  type: Registrable;
  /** The row of performance to register on. */
  node?: number;
  /** The entry to reverse. */
  entry?: number;
  onClose: () => void;
}

/** The form of one registration. */
export function RegisterDrawer({ row, type, node, entry, onClose }: Props) {
  const { message, notification } = App.useApp();
  const [asked, setAsked] = useState(false);
  const today = dayOf(new Date());
  return (
    <FormDrawer
      open
      title={`${registrations[type]} ${row.contract_no}`}
      name={`contract:${row.id}:${type}:${node ?? entry ?? ''}`}
      call={registerCalls.register}
      params={{ id: row.id }}
      also={{ type, ...(entry ? { entry_id: entry } : {}) }}
      initial={initialOf(row, type, node, today)}
      fields={asked ? [...fieldsOf(row, type), again] : fieldsOf(row, type)}
      onRefused={({ code }) => setAsked(asked || code === codes.conflict)}
      submit={registrations[type]}
      invalidates={['contract', 'tickets']}
      onClose={onClose}
      onDone={({ notes }) => {
        if (notes.length > 0) notification.warning({ title: registrations[type], description: notes.join('') });
        else void message.success('登记成功');
      }}
    />
  );
}

function initialOf(
  row: ContractDetail,
  type: Registrable,
  node: number | undefined,
  today: string,
): Record<string, unknown> {
  const open = row.performance.filter((one) => one.actions.includes('register'));
  const chosen = open.find((one) => one.id === (node ?? open[0]?.id));
  const left =
    chosen?.plan_amount == null
      ? undefined
      : Math.max(0, Math.round((chosen.plan_amount - chosen.done_amount) * 100) / 100);
  switch (type) {
    case 'sign':
      return {
        sign_date: today,
        authority: 1,
        copies_total: row.copies_total ?? 4,
        copies_kept: 2,
        keeper: row.undertaker,
      };
    case 'performance':
      return { performance_id: chosen?.id, date: today, amount: left, files: [] };
    case 'terminate':
      return { date: today, settlement: [] };
    case 'archive':
      return { retention: '30年' };
    case 'dispute_end':
      return { dispute_id: row.disputes[0]?.id };
    default:
      return {};
  }
}

function fieldsOf(row: ContractDetail, type: Registrable): FormField[] {
  switch (type) {
    case 'party':
      return [file('file')];
    case 'sign':
      return signing(row);
    case 'performance':
      return performing(row);
    case 'change':
      return [supplementField(row), reason];
    case 'suspend':
      return [reason, file('file')];
    case 'resume':
      return [reason, file('file'), { name: 'shift_plans', kind: 'switch' }];
    case 'terminate':
      return [
        { name: 'date', kind: 'date' },
        reason,
        {
          name: 'settlement',
          help: '解除后只能登记这里列明的款项',
          render: (control) => (
            <RowsInput
              control={control}
              of={settlement}
              fresh={() => ({ direction: direction.out, until: dayOf(new Date()) })}
              add="添加结算款项"
            />
          ),
        },
        file('file'),
      ];
    case 'dispute':
      return [
        { name: 'claimant', kind: 'select', options: optionsOf(claimant.names) },
        { name: 'reason', kind: 'textarea', help: '了结之前不能办理履行完毕和归档' },
        { name: 'amount', kind: 'money' },
        file('file'),
      ];
    case 'dispute_end':
      return [
        {
          name: 'dispute_id',
          kind: 'select',
          options: row.disputes.map((one) => ({ value: one.id, label: one.reason })),
        },
        { name: 'way', kind: 'select', options: optionsOf(disputeEnd.names) },
        { name: 'reason', kind: 'textarea' },
        file('file'),
      ];
    case 'finish':
      return [{ name: 'reason', kind: 'textarea', help: '还有未完成的节点时须填写，这些节点随之取消' }];
    case 'archive':
      return [
        { name: 'archive_no' },
        { name: 'location' },
        {
          name: 'retention',
          kind: 'select',
          options: ['永久', '30年', '10年'].map((value) => ({ value, label: value })),
        },
        {
          name: 'reason',
          kind: 'textarea',
          help: '到期合同还有未完成的节点、解除结算没有付清而免除的，须填写；这些节点随之取消',
        },
      ];
    default:
      return [reason];
  }
}

const signing = (row: ContractDetail): FormField[] => [
  { name: 'sign_date', kind: 'date' },
  file('signed_file'),
  { name: 'authority', kind: 'select', options: optionsOf(authority.names) },
  file('authority_file', { when: (values) => values['authority'] === 2 }),
  { name: 'copies_total', kind: 'number' },
  { name: 'copies_kept', kind: 'number' },
  {
    name: 'keeper',
    render: ({ id, value, onChange, disabled }) => (
      <PersonPicker
        id={id}
        disabled={disabled}
        by="id"
        value={value as number | null}
        onChange={onChange}
        known={[
          {
            id: row.undertaker,
            username: '',
            alias: row.undertaker_alias,
            dept_id: row.dept_id,
            dept_name: row.dept_name,
          },
        ]}
      />
    ),
  },
  { name: 'effective_date', kind: 'date', help: '不填为签订日期' },
  { name: 'first_paid_before_signing', kind: 'switch' },
];

function performing(row: ContractDetail): FormField[] {
  const open = row.performance.filter((one) => one.actions.includes('register'));
  const kindOf = (values: Record<string, unknown>) =>
    open.find((one) => one.id === values['performance_id'])?.kind ?? 0;
  const moneyed = (values: Record<string, unknown>) => withMoney.includes(kindOf(values));
  return [
    {
      name: 'performance_id',
      kind: 'select',
      options: open.map((one) => ({ value: one.id, label: `${one.name}（${one.plan_date}）` })),
    },
    { name: 'date', kind: 'date' },
    { name: 'amount', kind: 'money', when: moneyed },
    { name: 'voucher_no', when: moneyed },
    { name: 'invoice_no', when: moneyed },
    {
      name: 'accept_result',
      kind: 'select',
      options: optionsOf(acceptResult.names),
      when: (values) => kindOf(values) === planKind.delivery,
    },
    files,
    { name: 'remark', kind: 'textarea' },
  ];
}

const supplementField = (row: ContractDetail): FormField => ({
  name: 'supplement_id',
  help: '补充协议审批并签订后才能据以变更',
  render: ({ id, value, onChange, disabled = false }) => (
    <Select
      id={id}
      disabled={disabled}
      placeholder="请选择已签订的补充协议"
      options={row.children
        .filter((child) => child.nature === nature.supplement && child.contract_no !== '')
        .map((child) => ({ value: child.id, label: `${child.contract_no} ${child.name}` }))}
      value={value as number | undefined}
      onChange={onChange}
    />
  ),
});
