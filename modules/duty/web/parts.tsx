import { Tag } from 'antd';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { dutyCalls, type Shift, type Swap } from '../contract.ts';
import { nameOf, swapActs, swapStates } from '../contract/codes.ts';

export const linkTo = ({ id }: Pick<Shift, 'id'>) => `/schedule/duty/detail/${id}`;
export const phoneLink = (phone: string) => phone && <a href={`tel:${phone}`}>{phone}</a>;

/** One tap each: what may be done with a swap now. */
export const SwapActs = ({ swap }: { swap: Swap }) => (
  <div className="kit-row">
    {Object.entries(swapActs).map(([act, label]) => (
      <CallButton
        key={act}
        call={dutyCalls.answerSwap}
        asked={{ params: { id: swap.id }, body: { act: act as 'agree' } }}
        allowed={swap.actions.includes(act)}
        type={act === 'agree' || act === 'confirm' ? 'primary' : undefined}
        size="small"
      >
        {label}
      </CallButton>
    ))}
  </div>
);
export const SwapState = ({ state }: Pick<Swap, 'state'>) => (
  <Tag color={state < 3 ? 'processing' : state === 3 ? 'success' : undefined}>{nameOf(swapStates, state)}</Tag>
);
