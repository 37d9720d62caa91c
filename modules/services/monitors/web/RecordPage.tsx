import { useState } from 'react';
import { Button } from 'antd';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
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
      call={incidentCalls.incidents as never}
      query={customer ? { customer_id: customer } : {}}
      to={(row) => `/customer/record/detail/${row.id}`}
      columns={[
        ...listColumns(IncidentRow, {
          project_name: { main: true, width: 160 },
        }),
        ...(customer ? [] : listColumns(IncidentRow, { customer_name: { width: 160 } })),
        ...listColumns(IncidentRow, {
          start_time: { width: 130, sort: true },
          duration_s: { width: 90, sort: true, render: (row) => lasting(row.duration_s) },
          reason: { width: 160 },
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

/** The actions open on an incident now, for the list and for its page. */
export function IncidentActions({ row, makes = [] }: { row: IncidentRow; makes?: readonly string[] }) {
  const [handling, setHandling] = useState(false);
  const asked = { params: { id: row.id } };
  return (
    <div className="kit-row">
      <CallButton
        call={incidentCalls.claim}
        asked={asked}
        allowed={row.actions.includes('claim')}
        size="small"
        type="primary"
      >
        认领
      </CallButton>
      {row.actions.includes('silence') && <Silence id={row.project_id} until={row.quiet_until} small />}
      {makes.includes('orders') && (
        <CallButton
          call={incidentCalls.order}
          asked={{ ...asked, body: { to: 'orders' } }}
          allowed={row.actions.includes('order')}
          size="small"
        >
          转报修
        </CallButton>
      )}
      {row.actions.includes('handle') && (
        <Button size="small" onClick={() => setHandling(true)}>
          {row.state === incidentState.handled ? '修改处理' : '处理'}
        </Button>
      )}
      <CallButton
        call={incidentCalls.removeIncident}
        asked={asked}
        allowed={row.actions.includes('delete')}
        size="small"
        danger
        confirm={{
          title: `删除“${row.project_name}”的监测记录`,
          content: '不可用时间仍计入可用率，月报中写明已删除的条数。',
        }}
      >
        删除
      </CallButton>
      <FormDrawer
        title="处理异常"
        name={`incident:${row.id}`}
        open={handling}
        onClose={() => setHandling(false)}
        call={incidentCalls.handle}
        params={asked.params}
        fields={fieldsOf(shapeOf(incidentCalls.handle.body), { version: null })}
        initial={row.cause === null ? {} : { cause: row.cause, measure: row.measure }}
        also={{ version: row.version }}
        submit="保存处理结果"
        onDone={() => undefined}
      />
    </div>
  );
}
