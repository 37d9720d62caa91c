import { Alert } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { tickets } from '../../contract.ts';
import { latestActionsOf, doerOf } from './opinions.ts';

/** The latest action, shown to somebody whose ticket changed while they wrote. */
export function LatestAction({ ticket }: { ticket: number }) {
  const { data } = useCall(tickets.flowsteps, { params: { id: ticket } }, { meta: live });
  const last = latestActionsOf(data?.value ?? []).at(-1);
  if (!last) return null;
  return (
    <Alert
      type="warning"
      title={
        <>
          {doerOf(last)} <Moment at={last.gmt_created} /> 在“{last.state.state_name}”办理：
          {last.transition.transition_name}
        </>
      }
    />
  );
}
