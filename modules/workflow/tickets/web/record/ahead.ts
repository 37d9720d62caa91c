import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { keyOf, live } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { useSettled } from '#kernel/web/kit/form/parts/settled.ts';
import { useAwaited } from '#kernel/web/live/together.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { tickets } from '../../contract.ts';
import type { Detail } from '../../contract/shapes.ts';
import type { Chosen } from '../fields/Choose.tsx';

/** Values typed into a ticket and not sent yet. */
export type Edited = Readonly<Record<string, unknown>>;

interface Ahead {
  names: readonly string[];
  /** Why it would stop after these; empty if it reaches an end. */
  stop: string;
}

/** The later states of a ticket with the form as typed now, in order; null until known. */
export function useAhead({ id, act_state_id }: Pick<Detail, 'id' | 'act_state_id'>, edited: Edited): Ahead | null {
  const isOngoing = act_state_id === actState.ongoing;
  const { choose, ...values } = useSettled(edited);
  const asked = { params: { id }, body: { values, choose: choose as Chosen | undefined } };
  const { data, isLoading } = useQuery({
    queryKey: keyOf(tickets.ahead, asked),
    queryFn: ({ signal }) => send(tickets.ahead, asked, { signal, quiet: true }),
    enabled: isOngoing,
    placeholderData: keepPreviousData,
    meta: live,
  });
  useAwaited(isLoading);
  return isOngoing && data ? { names: data.steps.map((step) => step.state_name), stop: data.stop } : null;
}
