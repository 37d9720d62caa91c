import { momentOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { sms } from '../contract.ts';
import { batchState } from '../contract/labels.ts';
import type { Waiting } from '../contract/sending.ts';
import { withdrawnSays } from './labels.ts';

/** Batches that wait for approval, to be released or withdrawn; and released ones that are not sent yet, to be withdrawn. */
export function WaitingList() {
  const { data } = useCall(
    sms.waiting,
    { query: { per_page: 20 } },
    { refetchInterval: ({ state }) => (state.data?.value.some(isLeaving) ? 5000 : false) },
  );
  const rows = data?.value ?? [];
  return (
    <section className="kit-panel kit-stack" aria-label="待复核和待发出">
      <h2>待复核和待发出{rows.length > 0 && `（${data?.total}）`}</h2>
      {rows.length === 0 && (
        <p className="kit-muted">没有等待的短信；超过 200 个号码的发送，以及定时、顺延的短信会列在这里</p>
      )}
      {rows.map((row) => (
        <One key={row.id} row={row} />
      ))}
    </section>
  );
}

/** True if it is being sent. */
const isLeaving = ({ state, send_at }: Waiting) =>
  state === batchState.released && (send_at === null || momentOf(send_at) <= new Date());

function One({ row }: { row: Waiting }) {
  const size = `${row.total} 个号码、${row.segments} 条`;
  const unsent = row.state === batchState.waiting ? size : `${row.unsent} 个号码`;
  return (
    <article className="kit-stack" aria-label={`${row.sender_name}的短信`}>
      <p className="kit-muted">
        {row.sender_name} <Moment at={row.gmt_created} />，{size}
        {row.state === batchState.waiting ? '，待复核' : `，还有 ${row.unsent} 个号码没有发出`}
        {isLeaving(row) ? '，正在发送' : row.send_at && `，定于 ${row.send_at.slice(0, 16)} 发出`}
      </p>
      <p className="sms-text">{row.content}</p>
      <div className="kit-row">
        <CallButton
          call={sms.send}
          asked={{ body: { confirm_token: row.confirm_token ?? '' } }}
          allowed={row.actions.includes('confirm')}
          type="primary"
          size="small"
          confirm={{ title: `复核并发送 ${size}`, content: '发出后不能收回' }}
        >
          复核并发送
        </CallButton>
        <CallButton
          call={sms.withdraw}
          asked={{ params: { id: row.id } }}
          allowed={row.actions.includes('withdraw')}
          danger
          size="small"
          done={withdrawnSays}
          confirm={{
            title: '撤销该批短信',
            content: `尚未发出的 ${unsent}不会发出，撤销后不能恢复${row.state === batchState.waiting ? '' : '，扣除的额度退回；正在发送的不能撤销'}`,
          }}
        >
          撤销
        </CallButton>
      </div>
    </article>
  );
}
