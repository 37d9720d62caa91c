import { Skeleton, Table, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { jobCalls, JobKind } from '../contract/jobs.ts';
import { FailedJobs } from './FailedJobs.tsx';

const hows = { cron: '定时', every: '循环', asked: '随办随做' } as const;

/** Each kind of background job: its last run and duration, the next run, and errors. */
export default function JobPage() {
  const { data, error, refetch } = useCall(jobCalls.kinds, {});
  const narrow = useNarrow();
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const kinds = data.value.toSorted((one, other) => weight(other) - weight(one));
  return (
    <div className="kit-stack">
      <FailedJobs />
      <section className="kit-panel" aria-label="后台任务">
        <h1 style={{ marginTop: 0, fontSize: '1.125rem' }}>后台任务</h1>
        <p className="kit-muted">
          系统自己做的每一种工作：最近一次何时做、用了多久、下次何时做、出过什么问题；出错的排在前面
        </p>
        {narrow ? <Cards kinds={kinds} /> : <Kinds kinds={kinds} />}
      </section>
    </div>
  );
}

function Kinds({ kinds }: { kinds: JobKind[] }) {
  return (
    <Table<JobKind>
      size="small"
      rowKey="name"
      pagination={false}
      dataSource={kinds}
      scroll={{ x: 'max-content' }}
      columns={[
        ...tableColumns(JobKind, {
          title: { render: (kind) => <Title title={kind.title} kind={kind} /> },
          how: { render: howText },
          last_at: { render: (kind) => <Moment at={kind.last_at} /> },
          ms: { number: true, render: (kind) => tookText(kind.ms) },
          next_at: { render: (kind) => <Moment at={kind.next_at} /> },
          waiting: {},
          failure: {
            width: 280,
            render: (kind) =>
              kind.failure ? (
                <>
                  <Moment at={kind.failed_at} /> {kind.failure}
                </>
              ) : (
                '—'
              ),
          },
        }),
        {
          key: 'actions',
          title: '操作',
          render: (_, kind) => <Run kind={kind} />,
        },
      ]}
    />
  );
}

/** The same on a phone, without empty values. */
function Cards({ kinds }: { kinds: readonly JobKind[] }) {
  return (
    <ul className="kit-cards">
      {kinds.map((kind) => (
        <li key={kind.name} className="kit-panel">
          <div className="kit-row kit-card-head">
            <Title title={kind.title} kind={kind} />
          </div>
          <div className="kit-card-facts">
            <span>{howText(kind)}</span>
            {kind.last_at && (
              <span>
                <span className="kit-muted">最近一次 </span>
                <Moment at={kind.last_at} />
                ，用时 {tookText(kind.ms)}
              </span>
            )}
            {kind.next_at && (
              <span>
                <span className="kit-muted">下次 </span>
                <Moment at={kind.next_at} />
              </span>
            )}
            {kind.waiting > 0 && <span>排队 {kind.waiting} 项</span>}
            {kind.failure && (
              <span>
                <Moment at={kind.failed_at} /> {kind.failure}
              </span>
            )}
          </div>
          {kind.actions.includes('run') && (
            <div className="kit-row kit-card-actions">
              <Run kind={kind} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Run({ kind }: { kind: JobKind }) {
  return (
    <CallButton
      call={jobCalls.runKind}
      asked={{ body: { name: kind.name } }}
      allowed={kind.actions.includes('run')}
      size="small"
      confirm={{ title: `立即执行“${kind.title}”`, content: '不影响之后的定时' }}
    >
      立即执行
    </CallButton>
  );
}

/** Jobs that need attention come first. */
const weight = ({ broken, failed }: JobKind) => (broken ? 2 : 0) + (failed > 0 ? 1 : 0);

function Title({ title, kind }: { title: string; kind: JobKind }) {
  return (
    <>
      {title} {kind.broken && <Tag color="error">最近一次失败</Tag>}
      {kind.failed > 0 && <Tag color="warning">{kind.failed} 项未完成</Tag>}
    </>
  );
}

const howText = ({ how, every_seconds: every }: JobKind) =>
  every === null ? hows[how] : `每 ${every < 60 ? `${every} 秒` : `${Math.round(every / 60)} 分钟`}`;

const tookText = (ms: number | null) => (ms === null ? '—' : ms < 1000 ? `${ms} 毫秒` : `${(ms / 1000).toFixed(1)} 秒`);
