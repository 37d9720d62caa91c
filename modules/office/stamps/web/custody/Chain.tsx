import { Tag, Timeline } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { custodyCalls, type Custody } from '../../contract/custody.ts';
import { custodyKind, custodyState } from '../../contract/seal-codes.ts';

const minute = (at: string | null) => at?.slice(0, 16) ?? '';
/** The former and the new holder, if it changed hands. */
export function handsOf({ kind, from_info, to_info }: Custody): string {
  if (kind === custodyKind.begin) return `由${to_info?.alias ?? ''}保管`;
  return to_info ? `${from_info?.alias ?? ''} → ${to_info.alias}` : '';
}
export const periodOf = ({ from_time, until, ended_at }: Custody) =>
  until ? `${minute(from_time)} 至 ${minute(ended_at && ended_at < until ? ended_at : until)}` : '';

/** The chain of custody of a seal, the latest first. */
export function Chain({ stampId }: { stampId: number }) {
  const { data, error, refetch } = useCall(custodyCalls.custody, { query: { stamp_id: stampId } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  return (
    <section className="kit-panel" aria-label="保管记录">
      <h2>保管记录</h2>
      <Timeline
        items={(data?.value ?? []).map((event) => ({
          key: event.id,
          color:
            event.state === custodyState.asked ? 'orange' : event.state === custodyState.inEffect ? 'blue' : 'gray',
          content: <Event event={event} />,
        }))}
      />
    </section>
  );
}

export function Event({ event }: { event: Custody }) {
  const signed = event.signed.map((one) => `${one.alias} ${minute(one.at)}`).join('、');
  return (
    <div className="kit-stack" style={{ gap: 2 }}>
      <div className="kit-row">
        <strong>{custodyKind.label(event.kind)}</strong>
        {event.state !== custodyState.inEffect && (
          <Tag color={event.state === custodyState.asked ? 'warning' : 'default'}>
            {custodyState.label(event.state)}
          </Tag>
        )}
        <span>{handsOf(event)}</span>
        <span className="kit-muted">{minute(event.decided_at ?? event.gmt_created)}</span>
      </div>
      {event.until && <span>{periodOf(event)}</span>}
      {event.reason && <span>{event.reason}</span>}
      <span className="kit-muted">
        {[
          `${event.creator_info.alias}登记`,
          event.witnesses.length > 0 && `见证人 ${event.witnesses.map((one) => one.alias).join('、')}`,
          signed && `签名 ${signed}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      {event.pictures.length > 0 && <FileLinks files={event.pictures} />}
    </div>
  );
}
