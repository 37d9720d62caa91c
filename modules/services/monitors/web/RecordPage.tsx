import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { cause, incidentState } from '../contract/codes.ts';
import { incidentCalls, IncidentRow } from '../contract/incidents.ts';
import { lasting } from './looks.tsx';
import { Silence } from './Silence.tsx';

const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

/** 监测记录: open incidents first; of all customers or of one. */
export default function RecordPage({ customer }: { customer?: number }) {
  return (
    <ListPage<IncidentRow>
      card={['state', 'start_time', 'duration_s']}
      name="customer/record"
      title="监测记录"
      call={incidentCalls.incidents}
      query={customer ? { customer_id: customer } : {}}
      to={(row) => `/customer/record/detail/${row.id}`}
      columns={[
        ...listColumns(IncidentRow, {
          project_name: { main: true, width: 160 },
        }),
        ...(customer ? [] : listColumns(IncidentRow, { customer_name: { width: 150 } })),
        ...listColumns(IncidentRow, {
          start_time: { width: 130, sort: true },
          duration_s: { width: 90, sort: true, render: (row) => lasting(row.duration_s) },
          reason: { width: 150 },
          alerts: { width: 64 },
          claimed_name: { width: 90 },
          state: { width: 90, sort: true },
          cause: { width: 90, hidden: true, render: (row) => (row.cause ? cause.label(row.cause) : '—') },
        }),
      ]}
      filters={[
        { key: 'state', kind: 'select', often: true, options: options(incidentState.names) },
        { key: 'cause', kind: 'select', options: options(cause.names) },
      ]}
      actionsWidth={180}
      acts={(row) => row.actions.length > 0}
      rowActions={(row) => <IncidentActions row={row} />}
      empty={{ why: '没有发生过异常' }}
    />
  );
}

const acts: Acts<IncidentRow> = {
  claim: {
    label: '认领',
    call: incidentCalls.claim,
    offered: (row) => row.actions.includes('claim'),
    look: { type: 'primary' },
    atOnce: true,
  },
  order: {
    label: '转报修',
    call: incidentCalls.order,
    offered: (row) => row.actions.includes('order'),
    also: { to: 'orders' },
    atOnce: true,
  },
  handle: {
    label: (row) => (row.state === incidentState.handled ? '修改处理' : '处理'),
    title: '处理异常',
    call: incidentCalls.handle,
    initial: (row) => (row.cause === null ? {} : { cause: row.cause, measure: row.measure }),
    also: ({ version }) => ({ version }),
    submit: '保存处理结果',
  },
  delete: {
    label: '删除',
    title: (row) => `删除“${row.project_name}”的监测记录`,
    call: incidentCalls.removeIncident,
    offered: (row) => row.actions.includes('delete'),
    danger: true,
    confirm: '不可用时间仍计入可用率，月报中写明已删除的条数。',
  },
};

/** The actions open on an incident now, for the list and for its page. */
export function IncidentActions({ row, makes = [] }: { row: IncidentRow; makes?: readonly string[] }) {
  const { buttons, drawer } = useActs((_key, { id }) => `incident:${id}`, acts);
  const among = [...(makes.includes('orders') ? ['order'] : []), 'handle', 'delete'];
  return (
    <div className="kit-row">
      {buttons(row, row.actions, { among: ['claim'], size: 'small' })}
      {row.actions.includes('silence') && <Silence id={row.project_id} until={row.quiet_until} small />}
      {buttons(row, row.actions, { among, size: 'small' })}
      {drawer}
    </div>
  );
}
