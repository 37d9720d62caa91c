import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';
import { SearchSelect, useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { contractCategories } from '../../contract/categories.ts';
import { direction, disputeKind, nature, purchaseMode, renewal } from '../../contract/codes.ts';
import { contracts } from '../../contract/contracts.ts';
import type { ContractDetail } from '../../contract/shapes.ts';
import { PartyInput } from '../party/PartyInput.tsx';
import { textFields } from '../text/fields.tsx';
import { Capitals, NoticeDay } from './hints.tsx';
import { PlansInput } from './PlansInput.tsx';

type Values = Record<string, unknown>;
const optionsOf = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value: Number(value), label }));
const kinds = '.pdf,.doc,.docx,.xls,.xlsx,.jpg,.jpeg,.png,.zip';
const moneyed = (values: Values) => values['pay_direction'] !== direction.none;
const money = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'money',
  ...more,
});

/** Chooses the contract of a supplement, or the framework of a call-off. */
function ParentPicker({
  control,
  values,
  known,
}: {
  control: FieldControl;
  values: Values;
  known: ContractDetail['parent'];
}) {
  const searching = useSearching();
  const call = values['nature'] === nature.supplement ? {} : { nature: nature.framework };
  const { data, isFetching } = useCall(contracts.list, {
    query: { search_value: searching.search, per_page: 20, ...call },
  });
  const rows = (data?.value ?? []).filter((row) => row.nature !== nature.supplement && row.contract_no !== '');
  const all = known && !rows.some((row) => row.id === known.id) ? [known, ...rows] : rows;
  return (
    <SearchSelect
      {...(control as object)}
      searching={searching}
      loading={isFetching}
      placeholder="输入名称、编号或相对方"
      hint="只列出您可见的合同"
      options={all.map((row) => ({ value: row.id, label: `${row.contract_no} ${row.name}` }))}
    />
  );
}

/** The form of a contract, in the order of drafting. */
export function contractFields(known: ContractDetail | undefined, narrow: boolean): FormField[] {
  const basic = '基本';
  const terms = '金额与期限';
  return [
    { name: 'name', group: basic, placeholder: '如：2026 年度打印纸采购合同' },
    {
      name: 'category_id',
      group: basic,
      render: (control) => <CategoryPicker {...(control as object)} call={contractCategories.list} />,
    },
    { name: 'nature', group: basic, kind: 'select', options: optionsOf(nature.names) },
    ...(
      [
        [nature.supplement, '主合同', '补充哪一份合同'],
        [nature.usual, '所属框架协议', '在框架协议下签的写明是哪一份，否则不填'],
      ] as const
    ).map(([of, label, help]): FormField => ({
      name: 'parent_id',
      label,
      group: basic,
      help,
      when: (values) => values['nature'] === of,
      render: (control, values) => <ParentPicker control={control} values={values} known={known?.parent ?? null} />,
    })),
    {
      name: 'dept_id',
      group: basic,
      help: '不填为本人所在部门',
      render: ({ id, value, onChange, disabled }) => (
        <DeptPicker id={id} disabled={disabled} value={value as number | null} onChange={onChange} />
      ),
    },
    {
      name: 'undertaker',
      group: basic,
      help: '不填为起草人',
      render: ({ id, value, onChange, disabled }) => (
        <PersonPicker
          id={id}
          disabled={disabled}
          by="id"
          value={value as number | null}
          onChange={onChange}
          known={known ? [cardOf(known)] : []}
        />
      ),
    },
    { name: 'purchase_mode', group: basic, kind: 'select', options: optionsOf(purchaseMode.names) },
    { name: 'bid_no', group: basic },
    { name: 'fund_source', group: basic },
    { name: 'our_party', group: '相对方' },
    { name: 'parties', group: '相对方', render: (control) => <PartyInput control={control} /> },
    { name: 'party_signed', group: '相对方', kind: 'switch' },
    { name: 'pay_direction', group: terms, kind: 'select', options: optionsOf(direction.names) },
    {
      name: 'amount',
      group: terms,
      help: '补充协议填写变更后的合同总金额，不变更的留空',
      when: moneyed,
      render: (control, values) => (
        <>
          <MoneyInput {...control} />
          <Capitals amount={values['amount']} />
        </>
      ),
    },
    money('amount_cap', {
      group: terms,
      when: (values) => values['nature'] === nature.framework && moneyed(values),
    }),
    { name: 'tax_rate', label: '税率（%）', group: terms, kind: 'number', when: moneyed },
    money('deposit', { group: terms, when: moneyed }),
    { name: 'start_date', group: terms, kind: 'date' },
    {
      name: 'end_date',
      group: terms,
      kind: 'date',
      notBefore: 'start_date',
      help: '长期有效的留空',
    },
    { name: 'renewal', group: terms, kind: 'select', options: optionsOf(renewal.names) },
    {
      name: 'renewal_months',
      group: terms,
      kind: 'number',
      when: (values) => values['renewal'] === renewal.tacit,
    },
    {
      name: 'notice_days',
      group: terms,
      when: (values) => values['renewal'] === renewal.tacit || values['renewal'] === renewal.agreed,
      render: (control, values) => (
        <>
          <DaysInput control={control} />
          <NoticeDay values={values} />
        </>
      ),
    },
    { name: 'warranty_end', group: terms, kind: 'date' },
    { name: 'dispute', group: terms, kind: 'select', options: optionsOf(disputeKind.names) },
    ...textFields(known, narrow),
    {
      name: 'plans',
      group: '履约计划',
      help: '签订后成为履约节点；补充协议填写其后的履约安排',
      render: (control, values) => <PlansInput control={control} values={values} />,
    },
    {
      name: 'attachments',
      group: '附件',
      render: (control) => (
        <FilesField
          control={control}
          label="附件"
          module="contracts"
          accept={kinds}
          max={20}
          known={known?.attachments_info ?? []}
        />
      ),
    },
  ];
}

const days = [15, 30, 60, 90].map((value) => ({ value, label: `${value} 天` }));
function DaysInput({ control }: { control: FieldControl }) {
  return (
    <Select
      id={control.id}
      disabled={control.disabled ?? false}
      allowClear
      placeholder="请选择"
      options={days}
      value={control.value as number | null}
      onChange={(value) => control.onChange?.(value ?? null)}
    />
  );
}
const cardOf = ({ undertaker, undertaker_alias, dept_id, dept_name }: ContractDetail) => ({
  id: undertaker,
  username: '',
  alias: undertaker_alias,
  dept_id,
  dept_name,
});
