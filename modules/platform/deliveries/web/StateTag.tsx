import { Tag } from 'antd';
import { deliveryStates, stuckMinutes, type DeliveryRow, type DeliveryState } from '../contract.ts';

const colors: Record<DeliveryState, string> = {
  waiting: 'processing',
  sent: 'success',
  retrying: 'warning',
  given_up: 'error',
  cancelled: 'default',
};

/** The state of a delivery, with a note if it is overdue. */
export function StateTag({ row }: { row: Pick<DeliveryRow, 'state' | 'stuck'> }) {
  return (
    <>
      <Tag color={colors[row.state]}>{deliveryStates[row.state]}</Tag>
      {row.stuck && (
        <Tag color="error" title={`超过 ${stuckMinutes} 分钟没有投出`}>
          滞留
        </Tag>
      )}
    </>
  );
}
