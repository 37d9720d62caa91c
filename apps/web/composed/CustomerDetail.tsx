import { CustomerDetail } from '#modules/services/customers/widgets.tsx';
import { RecordPage, ServiceReport } from '#modules/services/monitors/widgets.tsx';

/** One customer, with the monitoring of its projects. */
export default function Customer() {
  return (
    <CustomerDetail
      tabs={(row) => [
        { key: 'record', label: '告警', on: '/customer/record', children: <RecordPage customer={row.id} /> },
        { key: 'report', label: 'SLA', on: '/customer/list', children: <ServiceReport customer={row.id} /> },
      ]}
    />
  );
}
