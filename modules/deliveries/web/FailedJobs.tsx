import { Table, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { Moment } from '#kernel/web/kit/Moment.tsx';
import { jobCalls, type Job } from '../contract/jobs.ts';

const shown = 20;

/** Work beside requests that failed; nothing where none did. */
export function FailedJobs() {
  const { data } = useCall(jobCalls.jobs, { query: { per_page: shown } });
  if (!data || data.total === 0) return null;
  return (
    <section className="kit-panel" aria-label="未完成的后台任务">
      <h2>未完成的后台任务</h2>
      <p className="kit-muted">
        共 {data.total} 项执行失败；还会再试的到时自动执行，已停止的要查明原因后重新执行
        {data.total > shown && `。以下是前 ${shown} 项`}
      </p>
      <Table<Job>
        rowKey="id"
        size="small"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={data.value}
        columns={[
          { title: '任务', className: 'kit-main', dataIndex: 'title' },
          {
            title: '状态',
            render: (_value, job) => (job.dead ? <Tag color="error">已停止</Tag> : <Tag color="warning">等待再试</Tag>),
          },
          { title: '次数', align: 'right', dataIndex: 'tries' },
          { title: '原因', dataIndex: 'answer' },
          { title: '下次执行', render: (_value, job) => (job.dead ? '—' : <Moment at={job.due_at} />) },
          {
            title: '操作',
            render: (_value, job) => (
              <CallButton
                call={jobCalls.runJob}
                asked={{ params: { id: job.id } }}
                allowed={job.actions.includes('run')}
                size="small"
              >
                重新执行
              </CallButton>
            ),
          },
        ]}
      />
    </section>
  );
}
