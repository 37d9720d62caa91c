import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { deliveries, type DeliveryRow } from '../contract.ts';

/** Reasons against sending it again. */
const doubts: Partial<Record<DeliveryRow['state'], string>> = {
  sent: '对方已经收到过，再次投递可能重复提醒',
  cancelled: '这条投递已被撤回，再次投递仍会发给对方',
};

export function ResendButton({ row, onDone }: { row: DeliveryRow; onDone?: () => void }) {
  const doubt = doubts[row.state];
  return (
    <CallButton
      call={deliveries.resend}
      asked={{ params: { id: row.id } }}
      allowed={row.actions.includes('resend')}
      size="small"
      onDone={onDone}
      confirm={doubt === undefined ? undefined : { title: `再次投递“${row.title}”`, content: doubt }}
    >
      重新投递
    </CallButton>
  );
}
