import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Address of a ticket that asks to hand it to somebody at once. */
export const handingTo = (ticket: number, username: string) =>
  `/ticket/detail/${ticket}?${new URLSearchParams({ deliver_to: username }).toString()}`;

/** Whom the address says that the ticket is to be handed to; `drop` once that was done, or is not to be. */
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
