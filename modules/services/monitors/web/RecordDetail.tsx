import { Descriptions, Table, Timeline } from 'antd';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { cause, eventWords, incidentState } from '../contract/codes.ts';
import { incidentCalls, IncidentRow } from '../contract/incidents.ts';
import { lasting, StateLight } from './looks.tsx';
import { IncidentActions } from './RecordPage.tsx';

/** One incident: its history, and the probes around it. */
export default function RecordDetail() {
  const id = Number(useParams()['id']);
  const narrow = useNarrow();
  const { data, error, isPending, refetch } = useCall(incidentCalls.incident, { params: { id } });
  const row = data?.value;
  const facts =
    row &&
    factsOf(IncidentRow, {
      customer_name: row.customer_name,
      start_time: row.start_time,
      end_time: row.end_time ?? '—',
      duration_s: lasting(row.duration_s),
      reason: row.reason || '—',
      alerts: `${row.alerts} 次`,
      claimed_at: row.claimed_at ? `${row.claimed_name} ${shortDate(row.claimed_at)}` : '—',
      cause: row.cause ? cause.label(row.cause) : '—',
      handler_alias: row.handler_alias ?? '—',
      measure: row.measure || '—',
    });
  return (
    <DetailPage
      title={row ? `${row.project_name} 异常` : '监测记录详情'}
      status={row && incidentState.label(row.state)}
      holder={row && <Link to={`/customer/project/detail/${row.project_id}`}>查看项目</Link>}
      loading={isPending}
      error={error}
      retry={() => void refetch()}
      actions={row && row.actions.length > 0 && <IncidentActions row={row} makes={row.makes} />}
      side={
        row && (
          <section className="kit-panel" aria-label="经过">
            <h2>经过</h2>
            <Timeline
              items={row.events.map((event) => ({
                content: (
                  <>
                    {eventWords[event.type as 'opened'] ?? event.type}{' '}
                    <span className="kit-muted">{shortDate(event.at)}</span>
                    <div>{[event.alias, event.text].filter(Boolean).join('：')}</div>
                  </>
                ),
              }))}
            />
          </section>
        )
      }
    >
      {facts && (
        <section className="kit-panel" aria-label="概况">
          <h2>概况</h2>
          <Descriptions size="small" column={narrow ? 1 : 2} items={facts} />
        </section>
      )}
      {row && (
        <section className="kit-panel" aria-label="前后的检测">
          <h2>前后的检测</h2>
          <Table
            size="small"
            rowKey="time"
            pagination={paged(10)}
            dataSource={row.looks}
            columns={tableColumns(incidentCalls.incident.reply.shape.value.shape.looks.element, {
              time: { render: (look) => look.time.slice(5) },
              status: { number: false, render: (look) => <StateLight status={look.status} /> },
              ms: {},
              msg: { render: (look) => look.msg ?? (look.http_code ? `状态码 ${look.http_code}` : '') },
            })}
          />
        </section>
      )}
    </DetailPage>
  );
}
