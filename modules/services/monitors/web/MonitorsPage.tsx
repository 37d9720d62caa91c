import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { useCall } from '#kernel/web/calls.ts';
import { monitorState, monitorType } from '../contract/codes.ts';
import { monitorCalls, type MonitorRow } from '../contract/monitors.ts';
import { Beats, DaysLeft, percent, StateLight } from './looks.tsx';

/** Monitored projects: how each stands and how its last sixty looks went. */
export default function MonitorsPage({ tabs, status }: Pick<ListPageProps<MonitorRow>, 'tabs'> & { status?: number }) {
  return (
    <ListPage<MonitorRow>
      card={['status', 'uptime_24h', 'last_check']}
      name="customer/monitor"
      title="监测"
      call={monitorCalls.list as never}
      query={status === undefined ? {} : { status }}
      {...(tabs ? { tabs } : {})}
      to={(row) => `/customer/project/detail/${row.id}`}
      columns={[
        { key: 'name', title: '项目', main: true, width: 150, sort: true },
        { key: 'customer_name', title: '客户', width: 160 },
        { key: 'status', title: '状态', width: 90, sort: true, render: (row) => <StateLight status={row.status} /> },
        { key: 'recent', title: '心跳', width: 220, render: (row) => <Beats recent={row.recent} /> },
        { key: 'uptime_24h', title: '24 小时', width: 80, number: true, render: (row) => percent(row.uptime_24h) },
        {
          key: 'uptime_30d',
          title: '30 天',
          width: 90,
          number: true,
          sort: true,
          render: (row) => percent(row.uptime_30d),
        },
        {
          key: 'last_ms',
          title: '毫秒',
          width: 76,
          number: true,
          sort: true,
          render: (row) => row.last_ms ?? '—',
        },
        { key: 'cert_ends', title: '证书', width: 90, sort: true, render: (row) => <DaysLeft at={row.cert_ends} /> },
        {
          key: 'last_check',
          title: '最近检测',
          width: 130,
          sort: true,
          render: (row) => <Moment at={row.last_check} />,
        },
        {
          key: 'claimed_name',
          title: '认领人',
          width: 90,
          render: (row) => (row.record_id ? row.claimed_name || '待认领' : '—'),
        },
        { key: 'type', title: '方式', hidden: true, render: (row) => monitorType.label(row.type) },
        { key: 'manager_alias', title: '负责人', hidden: true },
      ]}
      empty={{ why: '还没有监测的项目，请打开项目填写监测设置' }}
    />
  );
}

/** How many monitored projects stand how, as tabs: all of them, and each status that any has. */
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
