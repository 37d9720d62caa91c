import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { Moment } from '#kernel/web/kit/Moment.tsx';
import { sms } from '../contract.ts';
import type { Waiting } from '../contract/sending.ts';

/** What waits for a second person, to be let go or withdrawn. */
export function WaitingList() {
  const { data } = useCall(sms.waiting, { query: { per_page: 20 } });
  const rows = data?.value ?? [];
  return (
    <section className="kit-panel kit-stack" aria-label="待复核">
      <h2>待复核{rows.length > 0 && `（${data?.total}）`}</h2>
      {rows.length === 0 && <p className="kit-muted">没有待复核的短信；超过 200 个号码的发送会列在这里</p>}
      {rows.map((row) => (
        <One key={row.id} row={row} />
      ))}
    </section>
  );
}

function One({ row }: { row: Waiting }) {
  const size = `${row.total} 个号码、${row.segments} 条`;
  return (
    <article className="kit-stack" aria-label={`${row.sender_name}的短信`}>
      <p className="kit-muted">
        {row.sender_name} <Moment at={row.gmt_created} />，{size}
        {row.send_at && `，定于 ${row.send_at} 发出`}
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
          confirm={{ title: '撤销该批短信', content: `${size}不会发出，撤销后不能恢复` }}
        >
          撤销
        </CallButton>
      </div>
    </article>
  );
}
