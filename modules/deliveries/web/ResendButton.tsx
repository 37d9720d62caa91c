import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { deliveries, type DeliveryRow } from '../contract.ts';

export function ResendButton({ row, onDone }: { row: DeliveryRow; onDone?: () => void }) {
  return (
    <CallButton
      call={deliveries.resend}
      asked={{ params: { id: row.id } }}
      allowed={row.actions.includes('resend')}
      size="small"
      onDone={onDone}
      confirm={
        row.state === 'sent'
          ? { title: `再次投递“${row.title}”`, content: '对方已经收到过，再次投递可能重复提醒' }
          : undefined
      }
    >
      重新投递
    </CallButton>
  );
}
