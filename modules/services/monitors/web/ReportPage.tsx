import { Alert, Descriptions, Select, Table } from 'antd';
import { useParams, useSearchParams } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { cause, falseAlarm } from '../contract/codes.ts';
import { reportCalls, reportState } from '../contract/reports.ts';
import { percent } from './looks.tsx';
import { StatusPageDrawer } from './StatusPageDrawer.tsx';

const hours = (seconds: number) => `${Math.round(seconds / 360) / 10} 小时`;
const minutes = (seconds: number) => `${Math.round(seconds / 60)} 分钟`;

/** 服务月报 of one customer, as a separate page. */
export default function ReportPage() {
  const id = Number(useParams()['id']);
  const { data } = useCall(reportCalls.report, useAsked(id));
  return (
    <DetailPage title={data?.value ? `${data.value.customer.name}服务月报` : '服务月报'}>
      <div className="kit-panel">
        <ServiceReport customer={id} />
      </div>
    </DetailPage>
  );
}

/** The report of the month in the address. */
function useAsked(id: number) {
  const [search] = useSearchParams();
  const month = search.get('month');
  return { params: { id }, query: month ? { month } : {} };
}

type Shown = NonNullable<ReplyOf<typeof reportCalls.report>['value']>;
const acts: Acts<Shown & { id: number }> = {
  confirm: {
    label: '核对',
    title: (row) => `核对 ${row.month} 服务月报`,
    call: reportCalls.confirmReport,
    look: { type: 'primary' },
    only: ['note'],
    initial: ({ note }) => ({ note }),
    also: ({ month, version }) => ({ month, version }),
    submit: '核对无误',
  },
  paper: {
    label: '打印',
    offered: () => true,
    opens: ({ id, customer, month, version }, close) => (
      <PdfDrawer
        title={`${customer.name} ${month} 服务月报`}
        about={`${id}:${month}:${version}`}
        fetch={(signal) =>
          download(reportCalls.reportPdf, { params: { id }, query: { month } }, { signal, quiet: true })
        }
        onClose={close}
      />
    ),
  },
};
const ofCustomer: Acts<{ id: number }> = {
  page: {
    label: '公开状态页',
    offered: () => true,
    opens: ({ id }, close) => <StatusPageDrawer customer={id} onClose={close} />,
  },
};

/** A customer's month: promised and measured figures, incidents, exclusions; confirmed once, then printed. */
export function ServiceReport({ customer }: { customer: number }) {
  const [, setSearch] = useSearchParams();
  const { buttons, drawer } = useActs((_key, { id, month }) => `report:${id}:${month}`, acts);
  const status = useActs('report', ofCustomer);
  const asked = useAsked(customer);
  const { data, error, refetch } = useCall(reportCalls.report, asked);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return null;
  const { value: row, months } = data;
  const pageButton = status.buttons({ id: customer }, []);
  if (!row)
    return (
      <>
        <EmptyState why="还没有监测数据，设置项目的监测之后按月统计" next={pageButton} />
        {status.drawer}
      </>
    );
  return (
    <div className="kit-stack">
      <div className="kit-row">
        <Select
          aria-label="月份"
          value={row.month}
          onChange={(next) => setSearch({ month: next }, { replace: true })}
          options={months.map((one) => ({
            value: one.month,
            label: `${one.month}　${percent(one.uptime)}${one.state === reportState.confirmed ? '　已核对' : ''}`,
          }))}
          style={{ minWidth: 200 }}
        />
        {buttons({ ...row, id: customer }, row.actions)}
        {pageButton}
      </div>
      {row.actions.includes('confirm') && (
        <Alert type="info" showIcon title="草稿：核对数据、填写服务说明之后再打印交给客户；系统不会自动发给客户" />
      )}
      <Facts row={row} />
      {drawer}
      {status.drawer}
    </div>
  );
}

function Facts({ row }: { row: Shown }) {
  const { all } = row;
  const shape = reportCalls.report.reply.shape.value.unwrap();
  const facts = [
    ...factsOf(shape, {
      state: `${reportState.label(row.state)}${row.confirmed_at ? `，${row.confirmed_alias} ${row.confirmed_at.slice(0, 16)}` : ''}`,
    }),
    ...factsOf(shape.shape.all, {
      uptime: percent(all.uptime),
      down_s: minutes(all.down_s),
      maintenance_s: hours(all.maintenance_s),
      unknown_s: hours(all.unknown_s),
    }),
    ...factsOf(shape, {
      excluded_min: `${row.excluded_min} 分钟`,
      ignored_looks: `${row.ignored_looks} 次`,
      deleted_looks: {
        heading: '已删除',
        shown: `日志 ${row.deleted_looks} 条，记录 ${row.deleted_incidents} 条`,
      },
      note: row.note,
    }),
  ];
  return (
    <>
      <Descriptions size="small" column={useNarrow() ? 1 : 2} items={facts} />
      <Table
        size="small"
        rowKey="id"
        scroll={{ x: 'max-content' }}
        pagination={paged(20)}
        dataSource={row.projects}
        columns={tableColumns(shape.shape.projects.element, {
          name: {},
          service_level: { render: (one) => serviceLevel.label(one.service_level) },
          promised: { number: true, render: (one) => `${one.promised}%` },
          uptime: {
            heading: '实际',
            number: true,
            render: (one) =>
              `${percent(one.uptime)}${one.uptime !== null && one.uptime < one.promised ? '（未达到）' : ''}`,
          },
          down_s: { number: true, render: (one) => minutes(one.down_s) },
          maintenance_s: { number: true, render: (one) => hours(one.maintenance_s) },
          unknown_s: { number: true, render: (one) => hours(one.unknown_s) },
          incidents: {},
        })}
      />
      <Table
        size="small"
        rowKey={(one) => `${one.project} ${one.start_time}`}
        scroll={{ x: 'max-content' }}
        pagination={paged(20)}
        dataSource={row.incidents}
        locale={{ emptyText: '这个月没有发生异常' }}
        columns={tableColumns(shape.shape.incidents.element, {
          project: {},
          start_time: { render: (one) => shortDate(one.start_time) },
          minutes: {
            number: true,
            render: (one) => `${one.minutes} 分钟${one.end_time === null ? '（未恢复）' : ''}`,
          },
          reason: {},
          cause: {
            render: (one) =>
              one.cause === null ? '待定' : `${cause.label(one.cause)}${one.cause === falseAlarm ? '（不计）' : ''}`,
          },
          measure: { render: (one) => [one.measure, one.handler].filter(Boolean).join('　') || '—' },
        })}
      />
    </>
  );
}
