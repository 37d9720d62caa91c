import { useSearchParams } from 'react-router';
import { useWaits, WaitingList } from '#modules/platform/waits/widgets.tsx';
import { customersCall, CustomersPage } from '#modules/services/customers/widgets.tsx';

/** Customers, and beside them the reports of a month that wait for whoever keeps them, as long as some do. */
export default function Customers() {
  const [search, ask] = useSearchParams();
  const { data } = useWaits();
  const value = search.get('tab') === 'report' ? 'report' : 'all';
  const reports = data?.value.find(({ key }) => key === 'report');
  if (!reports && value === 'all') return <CustomersPage />;
  const categories = [
    { value: 'all', label: '客户', of: { call: customersCall, query: {} } },
    { value: 'report', label: '待核对的服务月报', count: reports ? reports.count + reports.aside : 0 },
  ];
  const tabs = { categories, value, onChange: (next: string) => ask(next === 'all' ? {} : { tab: next }) };
  if (value === 'all') return <CustomersPage tabs={tabs} />;
  return (
    <WaitingList
      page="customer/list"
      kind="report"
      title="客户"
      tabs={tabs}
      why="没有等您核对的服务月报，看过的在客户的 SLA 中"
    />
  );
}
