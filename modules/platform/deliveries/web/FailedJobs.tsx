import { Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { jobCalls, type Job } from '../contract/jobs.ts';

const shown = 20;

/** Failed background jobs; hidden if there are none. */
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
      <ul className="kit-lines">
        {data.value.map((job) => (
          <Line key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

function Line({ job }: { job: Job }) {
  return (
    <li>
      <strong>{job.title}</strong>
      {job.dead ? <Tag color="error">已停止</Tag> : <Tag color="warning">等待再试</Tag>}
      <span>{job.answer}</span>
      <span className="kit-grow" />
      <span className="kit-muted">
        已试 {job.tries} 次
        {!job.dead && (
          <>
            ，<Moment at={job.due_at} /> 再试
          </>
        )}
      </span>
      <CallButton
        call={jobCalls.runJob}
        asked={{ params: { id: job.id } }}
        allowed={job.actions.includes('run')}
        size="small"
      >
        重新执行
      </CallButton>
    </li>
  );
}
