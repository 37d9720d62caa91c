import { Tag } from 'antd';
import { Link } from 'react-router';
import { NounPage } from '#kernel/web/kit/noun/NounPage.tsx';
import { contacts } from '../contract/contacts.ts';
import { drawn, keptTo, Mobile } from './inputs.tsx';

/** 联系人: of all customers or of one. Numbers are masked; each one revealed is logged. */
export default function ContactPage({ customer }: { customer?: number }) {
  const kept = keptTo(customer);
  return (
    <NounPage
      card={['customer_name', 'post', 'mobile_masked']}
      calls={contacts}
      name="customer/contact"
      title="联系人"
      noun="联系人"
      also={kept.also}
      initial={kept.initial}
      list={{ query: kept.query }}
      columns={[
        {
          key: 'name',
          width: 140,
          sort: true,
          render: (row) => (
            <>
              {row.name} {row.is_primary && <Tag color="processing">主要</Tag>}
            </>
          ),
        },
        ...(customer
          ? []
          : [
              {
                key: 'customer_name' as const,
                width: 220,
                render: (row: { customer_id: number; customer_name: string }) => (
                  <Link to={`/customer/detail/${row.customer_id}`}>{row.customer_name}</Link>
                ),
              },
            ]),
        { key: 'project_name', width: 160, render: (row) => row.project_name || '—' },
        { key: 'post', width: 110 },
        { key: 'mobile_masked', width: 180, render: (row) => <Mobile key={row.version} row={row} /> },
        { key: 'phone', width: 140 },
        { key: 'receive_sms', width: 90, render: (row) => (row.receive_sms ? '是' : '否') },
        { key: 'email', hidden: true },
      ]}
      filters={[
        {
          key: 'receive_sms',
          kind: 'select',
          often: true,
          options: [
            { value: 'true', label: '接收短信' },
            { value: 'false', label: '不接收短信' },
          ],
        },
      ]}
      instead={{ ...drawn.contact, ...kept.instead }}
      valuesOf={({ mobile_masked: _masked, ...row }) => row}
      removal="他将不再收到告警短信，跟进记录仍然保留"
      empty="还没有联系人"
    />
  );
}
