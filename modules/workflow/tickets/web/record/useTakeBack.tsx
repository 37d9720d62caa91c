import { App, Button } from 'antd';
import { useCallback } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { tickets } from '../../contract.ts';
import { ticketActions } from '../../contract/actions.ts';

/** Seconds in which a step may be taken back from its message. */
const offered = 10;

/** Shows a success message; if the server would take the step back, the message offers that for ten seconds. */
export function useTakeBack() {
  const { message } = App.useApp();
  // Handled here, not where it is pressed: by then the form that was sent is gone.
  const { mutate: takeBack } = useSend(ticketActions.retreat, { onSuccess: () => void message.success('已撤回') });
  return useCallback(
    async (id: number, done: string) => {
      const now = await send(tickets.transitions, { params: { id } }, { quiet: true }).catch(() => null);
      if (!now?.value.some((offer) => offer.code === 'retreat')) return void message.success(done);
      const key = `take-back-${id}`;
      const undo = () => {
        message.destroy(key);
        takeBack({ params: { id }, body: { suggestion: '' } });
      };
      void message.open({
        key,
        type: 'success',
        duration: offered,
        content: (
          <>
            {done}
            <Button type="link" size="small" onClick={undo}>
              撤回
            </Button>
          </>
        ),
      });
    },
    [message, takeBack],
  );
}
