import { Descriptions, Table, Timeline } from 'antd';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { cause, eventWords, incidentState } from '../contract/codes.ts';
import { incidentCalls } from '../contract/incidents.ts';
import { lasting, StateLight } from './looks.tsx';
import { IncidentActions } from './RecordPage.tsx';

/** One incident: what happened to it, and the looks around it. */
export default function RecordDetail() {
  const id = Number(useParams()['id']);
  const narrow = useNarrow();
  const { data, error, isPending, refetch } = useCall(incidentCalls.incident, { params: { id } });
  const row = data?.value;
  const facts = row && {
    客户: row.customer_name,
    开始: row.start_time,
    恢复: row.end_time ?? '—',
    历时: lasting(row.duration_s),
    现象: row.reason || '—',
    告警: `${row.alerts} 次`,
    认领: row.claimed_at ? `${row.claimed_name} ${row.claimed_at.slice(5, 16)}` : '—',
    原因分类: row.cause ? cause.label(row.cause) : '—',
    办理人: row.handler_alias ?? '—',
    处理措施: row.measure || '—',
  };
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
                    <span className="kit-muted">{event.at.slice(5, 16)}</span>
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
          <Descriptions
            size="small"
            column={narrow ? 1 : 2}
            items={Object.entries(facts).map(([label, shown]) => ({ key: label, label, children: shown }))}
          />
        </section>
      )}
      {row && (
        <section className="kit-panel" aria-label="前后的检测">
          <h2>前后的检测</h2>
          <Table
            size="small"
            rowKey="time"
            pagination={{ pageSize: 10, hideOnSinglePage: true }}
            dataSource={row.looks}
            columns={[
              { title: '时间', render: (_, look) => look.time.slice(5) },
              { title: '状态', render: (_, look) => <StateLight status={look.status} /> },
              { title: '毫秒', dataIndex: 'ms', align: 'right' },
              { title: '说明', render: (_, look) => look.msg ?? (look.http_code ? `状态码 ${look.http_code}` : '') },
            ]}
          />
        </section>
      )}
    </DetailPage>
  );
}
