import { useQueryClient } from '@tanstack/react-query';
import { App, Tag } from 'antd';
import type { Calls } from '#kernel/contract/call.ts';
import { moduleOf } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { dutyCalls, type Person, type Shift, type Swap } from '../contract.ts';
import { swapActs, swapState } from '../contract/codes.ts';
import type { Unfit } from '../contract/refusals.ts';

export const linkTo = ({ id }: Pick<Shift, 'id'>) => `/schedule/duty/detail/${id}`;
export const phoneLink = (phone: string) => phone && <a href={`tel:${phone}`}>{phone}</a>;

/** Marks somebody absent on that day, for those who can assign another person. */
export const Away = ({ of }: { of: Pick<Person, 'away'> }) =>
  of.away ? (
    <Tag color="warning" title="当时请假、外出或已全部委托，请另作安排">
      不在岗
    </Tag>
  ) : null;

/** The acts open on a swap now, one tap each. */
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
  <Tag color={state < swapState.swapped ? 'processing' : state === swapState.swapped ? 'success' : undefined}>
    {swapState.label(state)}
  </Tag>
);

/** If a refusal is forcible, asks for confirmation once and sends again with `force`. */
export function useForced(call: typeof dutyCalls.change | typeof dutyCalls.move) {
  const { modal } = App.useApp();
  const client = useQueryClient();
  return (failure: { data: unknown }, body: object, params: { id: number }, onDone: () => void) => {
    const { unfit = [], can_force } = (failure.data ?? {}) as { unfit?: Unfit[]; can_force?: boolean };
    if (!can_force || !(body as { reason?: string }).reason) return;
    modal.confirm({
      title: unfit.map((one) => `${one.name}${one.why}`).join('；'),
      okText: '确认安排',
      cancelText: '再看看',
      focusable: { autoFocusButton: 'cancel' },
      async onOk() {
        await send<Calls[string]>(call, { params, body: { ...body, force: true } });
        await client.invalidateQueries({ queryKey: [moduleOf(call)] });
        onDone();
      },
    });
  };
}
