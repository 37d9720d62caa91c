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

/** Rising amounts; from each one on a contract is a step higher. */
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
  const steps = (name: string): FormField => ({
    name,
    help: '金额达到第一档、第二档的（含本数），审批逐级向上',
    render: (control) => <StepsInput control={control} />,
  });
  const fields = (): FormField[] => [
    { name: 'code', help: '进入合同编号，如 CG' },
    {
      name: 'manage_dept',
      render: ({ id, value, onChange }) => (
        <DeptPicker id={id} value={value as number | undefined} onChange={(next) => onChange?.(next ?? null)} />
      ),
    },
    { name: 'need_legal', help: '示范文本未改动的不经法务' },
    steps('out_steps'),
    steps('in_steps'),
    {
      name: 'default_template_id',
      kind: 'select',
      options: templates.map((one) => ({ value: one.id, label: one.name })),
    },
    {
      name: 'retention',
      kind: 'select',
      options: retentions.map((one) => ({ value: one, label: one })),
    },
    { name: 'verify_title' },
    { name: 'status', help: '停用后不能再起草这类合同' },
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
      columns={{
        code: {},
        manage_dept: { render: (row) => row.manage_dept_name || '—' },
        out_steps: { heading: '分档金额', number: true, render: stepsOf },
        need_legal: { render: (row) => (row.need_legal ? '须审核' : '按金额') },
        default_template_id: { render: (row) => row.default_template_name || '—' },
        count: {},
        status: { render: (row) => (row.status ? <Tag color="success">启用</Tag> : <Tag>停用</Tag>) },
      }}
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

/** Categories of contracts, the rules of the house, and the number book. */
export default function CategoryPage() {
  const [tab, setTab] = useState('category');
  return <Tabs activeKey={tab} onChange={setTab} items={tabs} destroyOnHidden />;
}
