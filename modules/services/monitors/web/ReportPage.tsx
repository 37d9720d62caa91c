import { Alert, Button, Descriptions, Select, Table } from 'antd';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { cause, falseAlarm } from '../contract/codes.ts';
import { reportCalls, reportState, type ServiceReport as Report } from '../contract/reports.ts';
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

/** A customer's month: promised and measured figures, incidents, exclusions; confirmed once, then printed. */
export function ServiceReport({ customer }: { customer: number }) {
  const [, setSearch] = useSearchParams();
  const [open, setOpen] = useState<'confirm' | 'paper' | 'page' | null>(null);
  const asked = useAsked(customer);
  const { data, error, refetch } = useCall(reportCalls.report, asked);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return null;
  const { value: row, months } = data;
  const pageButton = <Button onClick={() => setOpen('page')}>公开状态页</Button>;
  const close = () => setOpen(null);
  const drawer = open === 'page' && <StatusPageDrawer customer={customer} onClose={close} />;
  if (!row)
    return (
      <>
        <EmptyState why="还没有监测数据，设置项目的监测之后按月统计" next={pageButton} />
        {drawer}
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
        {row.actions.includes('confirm') && (
          <Button type="primary" onClick={() => setOpen('confirm')}>
            核对
          </Button>
        )}
        <Button onClick={() => setOpen('paper')}>打印</Button>
        {pageButton}
      </div>
      {row.actions.includes('confirm') && (
        <Alert type="info" showIcon title="草稿：核对数据、填写服务说明之后再打印交给客户；系统不会自动发给客户" />
      )}
      <Facts row={row} />
      {open === 'confirm' && (
        <FormDrawer
          title={`核对 ${row.month} 服务月报`}
          name={`report:${customer}:${row.month}`}
          open
          onClose={close}
          call={reportCalls.confirmReport}
          params={{ id: customer }}
          also={{ month: row.month, version: row.version }}
          fields={fieldsOf(shapeOf(reportCalls.confirmReport.body), { month: null, version: null })}
          initial={{ note: row.note }}
          submit="核对无误"
          onDone={() => void refetch()}
        />
      )}
      {open === 'paper' && (
        <PdfDrawer
          title={`${row.customer.name} ${row.month} 服务月报`}
          about={`${customer}:${row.month}:${row.version}`}
          fetch={(signal) =>
            send(
              reportCalls.reportPdf,
              { params: { id: customer }, query: { month: row.month } },
              { signal, quiet: true },
            ) as never
          }
          onClose={close}
        />
      )}
      {drawer}
    </div>
  );
}

type Shown = Report & { state: number; note: string; confirmed_alias: string | null; confirmed_at: string | null };
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
  const paged = { pageSize: 20, hideOnSinglePage: true, showSizeChanger: false };
  return (
    <>
      <Descriptions size="small" column={useNarrow() ? 1 : 2} items={facts} />
      <Table
        size="small"
        rowKey="id"
        scroll={{ x: 'max-content' }}
        pagination={paged}
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
        pagination={paged}
        dataSource={row.incidents}
        locale={{ emptyText: '这个月没有发生异常' }}
        columns={tableColumns(shape.shape.incidents.element, {
          project: {},
          start_time: { render: (one) => one.start_time.slice(5, 16) },
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
