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
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import { PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { cause, falseAlarm } from '../contract/codes.ts';
import { reportCalls, reportState, type ServiceReport as Report } from '../contract/reports.ts';
import { percent } from './looks.tsx';
import { StatusPageDrawer } from './StatusPageDrawer.tsx';

const hours = (seconds: number) => `${Math.round(seconds / 360) / 10} 小时`;
const minutes = (seconds: number) => `${Math.round(seconds / 60)} 分钟`;

/** 服务月报 of one customer, on a page of its own. */
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

/** The report of the month that the address names. */
function useAsked(id: number) {
  const [search] = useSearchParams();
  const month = search.get('month');
  return { params: { id }, query: month ? { month } : {} };
}

/** A month of a customer as it stands: what was promised and measured, incidents, what is left out; looked through once, then printed. */
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
  const facts = {
    状态: `${reportState.label(row.state)}${row.confirmed_at ? `，${row.confirmed_alias} ${row.confirmed_at.slice(0, 16)}` : ''}`,
    可用率: percent(all.uptime),
    不可用: minutes(all.down_s),
    计划维护: hours(all.maintenance_s),
    无数据: hours(all.unknown_s),
    误报不计: `${row.excluded_min} 分钟`,
    不计入的检测: `${row.ignored_looks} 次`,
    已删除: `日志 ${row.deleted_looks} 条，记录 ${row.deleted_incidents} 条`,
    ...(row.note ? { 服务说明: row.note } : {}),
  };
  const paged = { pageSize: 20, hideOnSinglePage: true, showSizeChanger: false };
  return (
    <>
      <Descriptions
        size="small"
        column={useNarrow() ? 1 : 2}
        items={Object.entries(facts).map(([label, shown]) => ({ key: label, label, children: shown }))}
      />
      <Table
        size="small"
        rowKey="id"
        scroll={{ x: 'max-content' }}
        pagination={paged}
        dataSource={row.projects}
        columns={[
          { title: '项目', dataIndex: 'name' },
          { title: '服务级别', render: (_, one) => serviceLevel.label(one.service_level) },
          { title: '承诺', align: 'right', render: (_, one) => `${one.promised}%` },
          {
            title: '实际',
            align: 'right',
            render: (_, one) =>
              `${percent(one.uptime)}${one.uptime !== null && one.uptime < one.promised ? '（未达到）' : ''}`,
          },
          { title: '不可用', align: 'right', render: (_, one) => minutes(one.down_s) },
          { title: '维护', align: 'right', render: (_, one) => hours(one.maintenance_s) },
          { title: '无数据', align: 'right', render: (_, one) => hours(one.unknown_s) },
          { title: '异常（次）', align: 'right', dataIndex: 'incidents' },
        ]}
      />
      <Table
        size="small"
        rowKey={(one) => `${one.project} ${one.start_time}`}
        scroll={{ x: 'max-content' }}
        pagination={paged}
        dataSource={row.incidents}
        locale={{ emptyText: '这个月没有发生异常' }}
        columns={[
          { title: '项目', dataIndex: 'project' },
          { title: '开始', render: (_, one) => one.start_time.slice(5, 16) },
          {
            title: '历时',
            align: 'right',
            render: (_, one) => `${one.minutes} 分钟${one.end_time === null ? '（未恢复）' : ''}`,
          },
          { title: '现象', dataIndex: 'reason' },
          {
            title: '原因',
            render: (_, one) =>
              one.cause === null ? '待定' : `${cause.label(one.cause)}${one.cause === falseAlarm ? '（不计）' : ''}`,
          },
          { title: '处理', render: (_, one) => [one.measure, one.handler].filter(Boolean).join('　') || '—' },
        ]}
      />
    </>
  );
}
