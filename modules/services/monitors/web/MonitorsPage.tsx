import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { monitorState } from '../contract/codes.ts';
import { monitorCalls, MonitorRow } from '../contract/monitors.ts';
import { Beats, DaysLeft, percent, StateLight } from './looks.tsx';

/** Monitored projects, each with its state and the last sixty beats. */
export default function MonitorsPage({ tabs, status }: Pick<ListPageProps<MonitorRow>, 'tabs'> & { status?: number }) {
  return (
    <ListPage<MonitorRow>
      card={['status', 'uptime_24h', 'last_check']}
      name="customer/monitor"
      title="监测"
      call={monitorCalls.list}
      query={status === undefined ? {} : { status }}
      {...(tabs ? { tabs } : {})}
      to={(row) => `/customer/project/detail/${row.id}`}
      columns={listColumns(MonitorRow, {
        name: { main: true, width: 150, sort: true },
        customer_name: { width: 160 },
        status: { width: 90, sort: true, render: (row) => <StateLight status={row.status} /> },
        recent: { width: 220, render: (row) => <Beats recent={row.recent} /> },
        uptime_24h: { width: 80, number: true, render: (row) => percent(row.uptime_24h) },
        uptime_30d: { width: 90, number: true, sort: true, render: (row) => percent(row.uptime_30d) },
        last_ms: { width: 76, number: true, sort: true },
        cert_ends: { width: 90, sort: true, render: (row) => <DaysLeft at={row.cert_ends} /> },
        last_check: { width: 130, sort: true },
        claimed_name: { width: 90, render: (row) => (row.record_id ? row.claimed_name || '待认领' : '—') },
        type: { hidden: true },
        manager_alias: { hidden: true },
      })}
      empty={{ why: '还没有监测的项目，请打开项目填写监测设置' }}
    />
  );
}

/** Tabs with the number of monitored projects: all, and each status in use. */
export function useMonitorTabs() {
  const { data } = useCall(monitorCalls.list, { query: { per_page: 1 } }, { meta: { live: true } });
  const counts = Object.entries(data?.counts ?? {});
  return [
    { value: 'monitors', label: '监测', count: counts.reduce((sum, [, count]) => sum + count, 0) },
    ...counts.map(([status, count]) => ({
      value: `monitors:${status}`,
      label: monitorState.label(Number(status)),
      count,
    })),
  ];
}
