import { App, Button, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { act, chosen, useActs, type Act, type Chosen } from '#kernel/web/kit/press/acts.tsx';
import { SheetDialog } from '#kernel/web/kit/SheetDialog.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { contracts, countedTo, quick, type Quick } from '../contract/contracts.ts';
import { contractImport } from '../contract/performing/import.ts';
import type { ContractRow } from '../contract/shapes.ts';
import { contractColumns, ledgerColumns, useContractFilters } from './list/columns.tsx';

// The main columns of a ledger come first, as far as there is room; others can be switched on.
const seldom = ['category_name', 'dept_name', 'term_end'];
const columns = [
  ...contractColumns.filter((column) => !seldom.includes(column.key)),
  ...ledgerColumns,
  ...contractColumns.filter((column) => seldom.includes(column.key)).map((column) => ({ ...column, hidden: true })),
];

/** 合同台账: all contracts in my scope, with their performance and warnings. */
export default function ManagePage() {
  const filters = useContractFilters();
  const { notification } = App.useApp();
  const [importing, setImporting] = useState(false);
  const handOver: Act<Chosen> = act({
    label: '移交承办',
    title: ({ ids }) => `移交 ${ids.length} 份合同`,
    call: contracts.handOver,
    offered: () => true,
    also: ({ ids }) => ({ ids }),
    fields: [
      {
        name: 'to',
        render: ({ id, value, onChange, disabled }) => (
          <PersonPicker id={id} disabled={disabled} by="id" value={value as number | null} onChange={onChange} />
        ),
      },
      { name: 'reason', kind: 'textarea' },
    ],
    onDone: ({ count, missed }, { clear }) => {
      clear();
      if (missed.length > 0)
        notification.warning({
          title: `已移交 ${count} 份，${missed.length} 份没有移交`,
          description: '没有移交的已归档、已作废、本就由新承办人承办，或不在您的范围内',
        });
    },
  });
  const { buttons, drawer } = useActs(() => 'contract:handover', { handOver });
  return (
    <>
      <ListPage<ContractRow>
        card={['stage', 'amount', 'party_names']}
        name="contract/manage"
        title="合同台账"
        purpose="权限范围内的全部合同及其金额、节点和期限"
        call={contracts.manage}
        columns={columns}
        filters={[
          {
            key: 'quick',
            kind: 'own',
            often: true,
            render: ({ value, set }) => <QuickFilters value={value} set={set} />,
          },
          // The quick filters are used most; other frequent filters would need a second line.
          ...filters.map((filter) => ({ ...filter, often: false })),
        ]}
        to={(row) => `/contract/detail/${row.id}`}
        primary={
          <WithCode code="Update">
            <Button onClick={() => setImporting(true)}>补录存量合同</Button>
          </WithCode>
        }
        batch={(rows, clear) => buttons(chosen(rows, clear), [])}
        empty={{ why: '还没有合同进入台账；审批通过的合同会在这里' }}
      />
      {importing && (
        <SheetDialog
          of={contractImport}
          hint="补录已签订、正在履行的纸质合同；编号沿用原来的，不再审批"
          refreshes={['contract']}
          onClose={() => setImporting(false)}
        />
      )}
      {drawer}
    </>
  );
}

/** The quick filters with their counts. */
function QuickFilters({ value, set }: { value: string; set: (value: string) => void }) {
  const { data } = useCall(contracts.manage, { query: { per_page: 1 } });
  return (
    <span className="kit-row" role="group" aria-label="快速筛选">
      {(Object.entries(quick) as [Quick, string][]).map(([key, label]) => (
        <Tag.CheckableTag key={key} checked={value === key} onChange={(on) => set(on ? key : '')}>
          {label} {(data?.counts[key] ?? 0) >= countedTo ? `${countedTo - 1}+` : (data?.counts[key] ?? '')}
        </Tag.CheckableTag>
      ))}
    </span>
  );
}
