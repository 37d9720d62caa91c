import { Select, Tabs, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { TreePage } from '#kernel/web/kit/tree/TreePage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { NumberBook } from '#modules/workflow/records/widgets.tsx';
import { contractCategories, retentions, type ContractCategory } from '../contract/categories.ts';
import { numberState } from '../contract/codes.ts';
import { contractNumbers } from '../contract/numbers.ts';
import { contractRuleCalls, contractRules } from '../contract/rules.ts';
import { contractTemplates } from '../contract/templates.ts';

/** Amounts that rise; above each a contract is a step higher. */
function StepsInput({ control }: { control: FieldControl }) {
  const steps = (control.value as number[] | undefined) ?? [];
  return (
    <div className="kit-stack">
      {[0, 1].map((at) => (
        <MoneyInput
          key={at}
          aria-label={`第 ${at + 1} 档`}
          value={steps[at]}
          onChange={(value) => {
            const next = [steps[0], steps[1]];
            next[at] = value as number | undefined;
            control.onChange?.(next.filter((one) => one !== undefined));
          }}
        />
      ))}
    </div>
  );
}

function Categories() {
  const { data: templates = [] } = useCall(contractTemplates.templateOptions, { query: {} });
  const steps = (name: string, label: string): FormField => ({
    name,
    label,
    help: '金额达到第一档、第二档的（含本数），审批逐级向上',
    render: (control) => <StepsInput control={control} />,
  });
  const fields = (): FormField[] => [
    { name: 'code', label: '类别代码', help: '进入合同编号，如 CG' },
    {
      name: 'manage_dept',
      label: '归口部门',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} value={value as number | undefined} onChange={(next) => onChange?.(next ?? null)} />
      ),
    },
    { name: 'need_legal', label: '须法务审核', help: '示范文本未改动的不经法务' },
    steps('out_steps', '付款合同分档金额'),
    steps('in_steps', '收款合同分档金额'),
    {
      name: 'default_template_id',
      label: '默认模板',
      kind: 'select',
      options: templates.map((one) => ({ value: one.id, label: one.name })),
    },
    {
      name: 'retention',
      label: '保管期限',
      kind: 'select',
      options: retentions.map((one) => ({ value: one, label: one })),
    },
    { name: 'verify_title', label: '核验页显示合同名称' },
    { name: 'status', label: '启用', help: '停用后不能再起草这类合同' },
  ];
  const amounts = (steps: readonly number[]) => steps.map((one) => one.toLocaleString('en-US')).join(' / ') || '不分档';
  const stepsOf = ({ out_steps, in_steps }: ContractCategory) =>
    amounts(out_steps) === amounts(in_steps) ? amounts(out_steps) : `付 ${amounts(out_steps)}；收 ${amounts(in_steps)}`;
  return (
    <TreePage<ContractCategory>
      calls={contractCategories}
      title="合同类别"
      noun="合同类别"
      help="类别决定合同编号、审批的档次、归口部门和默认文本"
      holds="其中没有合同、模板和下级类别时才能删除"
      initial={{ status: true, out_steps: [50_000, 500_000], in_steps: [50_000, 500_000], retention: '30年' }}
      fields={fields}
      columns={[
        { title: '代码', dataIndex: 'code' },
        { title: '归口部门', render: (_value, row) => row.manage_dept_name || '—' },
        { title: '分档金额', align: 'right', render: (_value, row) => stepsOf(row) },
        { title: '法务', render: (_value, row) => (row.need_legal ? '须审核' : '按金额') },
        { title: '默认模板', render: (_value, row) => row.default_template_name || '—' },
        { title: '合同', dataIndex: 'count', align: 'right', className: 'kit-figures' },
        { title: '状态', render: (_value, row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
      ]}
      inOne={(row) =>
        [row.code, row.manage_dept_name, `${row.count} 份`, row.status ? '' : '停用'].filter(Boolean).join(' · ')
      }
    />
  );
}

const Numbers = () => (
  <NumberBook
    name="contract/number-book"
    title="编号簿"
    call={contractNumbers.numberBook}
    columns={listColumns(rowOf(contractNumbers.numberBook), {
      contract_no: { main: true },
      category_name: {},
      contract_name: {},
      state: { render: (row) => (row.state === numberState.voided ? <Tag color="error">已作废</Tag> : '已使用') },
    })}
  />
);

function Rules() {
  const may = usePermission();
  return (
    <RulesPanel
      rules={contractRules}
      read={contractRuleCalls.rule}
      save={contractRuleCalls.saveRule}
      instead={{
        remind_days: {
          render: ({ id, value, onChange }) => (
            <Select
              id={id}
              mode="tags"
              className="kit-wide"
              value={((value as number[] | undefined) ?? []).map(String)}
              onChange={(days: string[]) => onChange?.(days.map(Number).filter((day) => Number.isInteger(day)))}
            />
          ),
        },
      }}
      readOnly={may('Update') ? null : '您可以查看合同规则，修改须有类别的编辑权限'}
    />
  );
}

const tabs = [
  { key: 'category', label: '类别', children: <Categories /> },
  { key: 'rule', label: '规则', children: <Rules /> },
  { key: 'numbers', label: '编号簿', children: <Numbers /> },
];

/** Categories of contracts, the rules of the house for them, and the numbers that were given. */
export default function CategoryPage() {
  const [tab, setTab] = useState('category');
  return <Tabs activeKey={tab} onChange={setTab} items={tabs} destroyOnHidden />;
}
