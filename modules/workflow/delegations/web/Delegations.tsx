import { Button, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { delegations, type DelegationRow } from '../contract.ts';
import { DelegationForm } from './DelegationForm.tsx';

const colours = { waiting: 'default', running: 'processing', over: 'default' } as const;

/** Part of the personal centre: my delegates, and the people I decide for. */
export function Delegations() {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <div className="kit-row" style={{ marginBottom: 12 }}>
        <p className="kit-muted kit-grow">
          外出期间，代办人可以查看并处理您的待办；记录上写明“代”，您自己发起的工单除外。
        </p>
        <Button type="primary" onClick={() => setAdding(true)}>
          委托他人代办
        </Button>
      </div>
      <Side side="given" title="替我办理的人" empty="您没有委托他人代办" />
      <Side side="taken" title="我替谁办理" empty="没有人委托您代办" />
      <Side side="set" title="我替他人设置的" empty="" />
      {adding && <DelegationForm onClose={() => setAdding(false)} />}
    </>
  );
}

function Side({ side, title, empty }: { side: 'given' | 'taken' | 'set'; title: string; empty: string }) {
  const { data, error, refetch } = useCall(delegations.list, { query: { side, per_page: 50 } });
  if (side === 'set' && !data?.value.length) return null;
  return (
    <section aria-label={title}>
      <h2 style={{ fontSize: 15 }}>{title}</h2>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {data?.value.length === 0 && <EmptyState why={empty} />}
      <ul className="kit-cards">
        {data?.value.map((row) => (
          <li key={row.id} className="kit-panel kit-row">
            <Line row={row} person={side === 'taken' ? row.delegator : row.delegate} names={side === 'set'} />
            <CallButton
              call={delegations.end}
              asked={{ params: { id: row.id } }}
              allowed={row.actions.includes('end')}
              invalidates={['accounts', 'tickets']}
              danger
              confirm={{ title: `结束对“${row.delegate.alias}”的委托`, content: '对方马上不能再处理您的待办' }}
            >
              结束委托
            </CallButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ row, person, names }: { row: DelegationRow; person: DelegationRow['delegate']; names: boolean }) {
  const scope = row.workflows.map((flow) => flow.name).join('、') || '全部流程';
  return (
    <div className="kit-grow">
      {names && <span className="kit-muted">代{row.delegator.alias}：</span>}
      <strong>{person.alias}</strong> {person.dept_name} <Tag color={colours[row.state]}>{row.state_name}</Tag>
      <p className="kit-muted">
        <Moment at={row.start} /> 至 <Moment at={row.end} /> · {scope}
        {row.chain_limit > 1 && ` · 可再转托 ${row.chain_limit - 1} 次`}
        {row.reason && ` · ${row.reason}`}
      </p>
    </div>
  );
}
