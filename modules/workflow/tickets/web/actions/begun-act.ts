import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Address of a ticket's page that opens the hand-over to somebody at once. */
export const handingTo = (ticket: number, username: string) =>
  `/ticket/detail/${ticket}?${new URLSearchParams({ deliver_to: username }).toString()}`;

/** The person in the address to whom the ticket is to be handed; `drop` removes it once done or cancelled. */
export function useHandingTo(): { username: string | null; drop: () => void } {
  const [address, setAddress] = useSearchParams();
  const username = address.get('deliver_to');
  const drop = useCallback(() => {
    if (username === null) return;
    setAddress(
      (now) => {
        now.delete('deliver_to');
        return now;
      },
      { replace: true },
    );
  }, [username, setAddress]);
  return { username, drop };
}
