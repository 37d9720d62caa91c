import { Button, Tag } from 'antd';
import { useState } from 'react';
import { moneyText } from '#kernel/contract/money/money.ts';
import { WithCode } from '#kernel/web/kit/press/CallButton.tsx';
import type { ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { SheetDialog, type SheetReply } from '#kernel/web/kit/SheetDialog.tsx';
import { customerLevel, customerStatus, customerType } from '../contract/codes.ts';
import { customers } from '../contract/customers.ts';
import { customerImport } from '../contract/import.ts';
import { chosen, drawn, personFilter, State } from './inputs.tsx';
import './customers.css';

const idle = [30, 60, 90, 180, 365].map((days) => ({ value: String(days), label: `超过 ${days} 天未联系` }));

/** 客户: with owner, department and the time since the last contact. */
export default function CustomerPage({ tabs }: { tabs?: ListPageProps<never>['tabs'] }) {
  const [importing, setImporting] = useState(false);
  return (
    <>
      <NounPage
        card={['status', 'owner_alias', 'follow_at']}
        calls={customers}
        name="customer/list"
        title="客户"
        noun="客户"
        list={{ to: (row) => `/customer/detail/${row.id}`, ...(tabs && { tabs }) }}
        columns={[
          { key: 'name', width: 180, sort: true },
          { key: 'type', width: 70 },
          { key: 'level', width: 76 },
          { key: 'status', width: 90, render: (row) => <State>{customerStatus.label(row.status)}</State> },
          { key: 'owner_alias', width: 80 },
          { key: 'project_count', width: 70, number: true },
          { key: 'contract_amount', width: 110, number: true, render: (row) => amount(row.contract_amount) },
          { key: 'last_contact_at', width: 104, render: (row) => row.last_contact_at?.slice(0, 10) ?? '未联系' },
          { key: 'follow_at', width: 104, render: (row) => row.follow_at ?? '—' },
          { key: 'tags', hidden: true, render: (row) => row.tags.map((tag) => <Tag key={tag}>{tag}</Tag>) },
          { key: 'dept_name', hidden: true },
          { key: 'code', hidden: true },
          { key: 'credit_code', hidden: true },
        ]}
        filters={[
          chosen('level', customerLevel.names),
          chosen('status', customerStatus.names),
          { key: 'idle', kind: 'select', often: true, options: idle },
          chosen('type', customerType.names, false),
          { key: 'tag', kind: 'text' },
          { key: 'due', kind: 'select', options: [{ value: 'true', label: '待我跟进' }] },
          personFilter('owner'),
        ]}
        instead={drawn.customer}
        removal="有项目、联系人或合同的客户不能删除"
        empty="还没有客户，可以新增，或从表格导入"
        primary={
          <WithCode code="Create">
            <Button onClick={() => setImporting(true)}>导入</Button>
          </WithCode>
        }
      />
      {importing && (
        <SheetDialog<SheetReply & { customers: number }>
          of={customerImport}
          hint="同一客户写几行，就是它的几位联系人，第一位为主要联系人；已有的客户不会重复导入。"
          says={(told) => `已导入 ${told.customers} 个客户`}
          refreshes={['customer']}
          onClose={() => setImporting(false)}
        />
      )}
    </>
  );
}

/** A dash for those who may not read contracts. */
const amount = (value: number | null) => (value === null ? '—' : moneyText(value));
