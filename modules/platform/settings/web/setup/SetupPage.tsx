import { Progress, Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { anyOwn, useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { setupCalls, setupStates, type SetupRow } from '../../contract/setup.ts';
import '../settings.css';

const tones = { open: 'warning', done: 'success', skipped: 'default' } as const;

/** The steps of setting up the product, in the order in which they are best done, each with the page on which it is done. */
export default function SetupPage() {
  const { data, error, refetch } = useCall(setupCalls.steps, {}, { meta: anyOwn });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const needed = data.value.filter(({ state }) => state !== 'skipped');
  const ready = needed.filter(({ state }) => state === 'done').length;
  return (
    <section className="kit-panel" aria-label="上线清单">
      <h1 style={{ marginTop: 0, fontSize: '1.125rem' }}>上线清单</h1>
      <p className="kit-muted">
        正式使用之前要准备的事，做好一项自动打勾；本单位用不到的选“不需要”。全部做好后，首页不再显示
      </p>
      <Progress
        percent={Math.round((ready / Math.max(1, needed.length)) * 100)}
        format={() => `${ready} / ${needed.length}`}
        aria-label={`已完成 ${ready} 项，共 ${needed.length} 项`}
      />
      <ol className="setup-steps">
        {data.value.map((row) => (
          <Step key={row.key} row={row} />
        ))}
      </ol>
    </section>
  );
}

function Step({ row }: { row: SetupRow }) {
  return (
    <li>
      <div className="setup-what">
        <strong>{row.title}</strong> <Tag color={tones[row.state]}>{setupStates[row.state]}</Tag>
        {row.found && <span className="setup-found">{row.found}</span>}
        <p className="kit-muted">{row.help}</p>
      </div>
      <div className="kit-row">
        {row.web_path && (
          <Link to={row.web_path} aria-label={`${row.state === 'open' ? '去办理' : '查看'} ${row.title}`}>
            {row.state === 'open' ? '去办理' : '查看'}
          </Link>
        )}
        <CallButton
          call={setupCalls.skip}
          asked={{ params: { key: row.key }, body: { skipped: row.state !== 'skipped' } }}
          allowed={row.actions.includes('skip')}
          size="small"
        >
          {row.state === 'skipped' ? '仍要办理' : '不需要'}
        </CallButton>
      </div>
    </li>
  );
}
