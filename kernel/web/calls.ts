import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationOptions, UseQueryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Asked, Calls, ReplyOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { announce } from './announce.ts';
import { newAttempt, send } from './client.ts';
import type { SendOptions } from './client.ts';
import { CallFailed } from './failure.ts';
import { isAskedByItself } from './live/asking.ts';
import { useAwaited } from './live/together.ts';

type AnyCall = Calls[string];

/** The module in a path, after `/api/`: its answers are cached and invalidated together. */
export function moduleOf(call: AnyCall): string {
  return call.path.split('/')[2] ?? '';
}

export function keyOf(call: AnyCall, asked: unknown = {}): readonly unknown[] {
  return [moduleOf(call), call.path, asked];
}

/** `meta` of a query that is repeated when something of its module changed: for numbers, never for data that is being edited. */
export const live = { live: true };
/** `meta` of a query that all modules contribute to: repeated after any change, by others or by oneself. */
export const anyLive = { live: 'any' };
/** `meta` of a query that is repeated after any action of one's own, in any module: for lists of all modules, which must not move when others act. */
export const anyOwn = { own: 'any' };
/** True if the person's own actions invalidate an answer, whichever module they concern. */
export const isOfAny = (meta: Record<string, unknown> | undefined): boolean =>
  meta?.['live'] === anyLive.live || meta?.['own'] === anyOwn.own;

type QueryOptions<C> = Omit<UseQueryOptions<ReplyOf<C>, CallFailed>, 'queryKey' | 'queryFn'> &
  Pick<SendOptions, 'quiet'>;

/** Reads with a call: data, loading and failure, cached under the call and its input. */
export function useCall<C extends AnyCall>(call: C, asked: Asked<C>, { quiet, ...options }: QueryOptions<C> = {}) {
  const answer = useQuery<ReplyOf<C>, CallFailed>({
    queryKey: keyOf(call, asked),
    queryFn: ({ signal }) => send(call, asked, { signal, quiet: quiet || isAskedByItself() }),
    ...options,
  });
  useAwaited(answer.isLoading);
  return answer;
}

type MutationOptions<C> = Omit<UseMutationOptions<ReplyOf<C>, CallFailed, Asked<C>>, 'mutationFn'> &
  Pick<SendOptions, 'quiet'> & {
    /** Modules whose cached answers become stale on success; the call's own unless given. */
    invalidates?: readonly string[];
    /** The idempotency key of the request, if it has one of its own, such as that of a draft. */
    attempt?: string;
  };

/** Writes with a call. Without a given key, a request that got no answer keeps its idempotency key when the same data is sent again. */
export function useSend<C extends AnyCall>(
  call: C,
  { invalidates, quiet, attempt, onSuccess, ...options }: MutationOptions<C> = {},
) {
  const client = useQueryClient();
  const open = useRef<{ asked: string; attempt: string } | null>(null);
  return useMutation<ReplyOf<C>, CallFailed, Asked<C>>({
    ...options,
    async mutationFn(asked) {
      const text = JSON.stringify(asked);
      if (open.current?.asked !== text) open.current = { asked: text, attempt: newAttempt() };
      try {
        const reply = await send(call, asked, { attempt: attempt ?? open.current.attempt, quiet });
        open.current = null;
        return reply;
      } catch (error) {
        if (!(error instanceof CallFailed && error.unanswered)) open.current = null;
        // A form that shows its own failures still cannot sign anybody in.
        if (quiet && error instanceof CallFailed && error.code === codes.signedOut) announce(error);
        throw error;
      }
    },
    async onSuccess(...given) {
      const modules = invalidates ?? [moduleOf(call)];
      for (const module of modules) void client.invalidateQueries({ queryKey: [module] });
      void client.invalidateQueries({ predicate: ({ meta }) => isOfAny(meta) });
      await onSuccess?.(...given);
    },
  });
}
