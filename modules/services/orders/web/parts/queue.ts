import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Calls } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { newAttempt, send } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { orders } from '../../contract/orders.ts';

/** An action taken without network: kept in the browser with its key until the server has answered. */
export interface Waiting {
  attempt: string;
  call: 'act' | 'statePost';
  id: number;
  title: string;
  label: string;
  body: object;
  /** The reason of the server's refusal. */
  refused?: string;
}
const key = 'order-waiting';
const read = (): Waiting[] => JSON.parse(localStorage.getItem(key) ?? '[]') as Waiting[];
let sending = false;

/** Actions that wait for the network, sent one after the other, each once; a refused one stays with its reason until it is dismissed. */
export function useQueue() {
  const [waiting, set] = useState(read);
  const client = useQueryClient();
  const keep = (next: Waiting[]) => {
    localStorage.setItem(key, JSON.stringify(next));
    set(next);
  };
  const drain = async () => {
    if (sending) return;
    sending = true;
    try {
      for (let next = read().find((one) => !one.refused); next; next = read().find((one) => !one.refused)) {
        const { attempt, call, id, body } = next;
        const failed = await send<Calls[string]>(orders[call], { params: { id }, body }, { attempt, quiet: true }).then(
          () => null,
          (error: unknown) => error as CallFailed,
        );
        if (failed && (failed.kind !== 'refused' || failed.code === codes.signedOut)) break;
        const rest = read().filter((one) => one.attempt !== attempt);
        keep(failed ? [...rest, { ...next, refused: failed.message }] : rest);
      }
    } finally {
      sending = false;
      void client.invalidateQueries({ queryKey: ['order'] });
    }
  };
  useEffect(() => {
    void drain();
    const again = () => void drain();
    window.addEventListener('online', again);
    const timer = setInterval(again, 15_000);
    return () => {
      window.removeEventListener('online', again);
      clearInterval(timer);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- begun once; it reads what waits each time
  }, []);
  return {
    waiting,
    add(action: Omit<Waiting, 'attempt'>) {
      keep([...read(), { ...action, attempt: newAttempt() }]);
      void drain();
    },
    drop: (attempt: string) => keep(read().filter((one) => one.attempt !== attempt)),
  };
}
