import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { keyOf, moduleOf, useCall } from '#kernel/web/calls.ts';
import { newAttempt, send } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { documentMarks, type NewStroke, type Stroke } from '../../contract/files/marks.ts';

type Strokes = ReplyOf<typeof documentMarks.strokes>;
/** The number of strokes per request, and the milliseconds until an unanswered one is repeated. */
const atOnce = 50;
const pause = 3000;

export interface Ink {
  strokes: readonly Stroke[];
  /** Drawn and not confirmed yet: sent again with the same key until it is. */
  waiting: readonly NewStroke[];
  /** The reason why the last strokes are not saved, or not yet. */
  failure: string;
  /** True if the waiting strokes were refused and will not be saved. */
  refused: boolean;
  draw(strokes: readonly NewStroke[]): void;
  erase(stroke: Stroke): Promise<void>;
}

/** The strokes on one paper of a document: everybody's saved ones, and one's own pending ones. */
export function useInk(id: number, digest: string): Ink {
  const asked = { params: { id }, query: { digest } };
  const client = useQueryClient();
  const { data } = useCall(documentMarks.strokes, asked);
  const queue = useRef<{ waiting: NewStroke[]; sent: { attempt: string; strokes: NewStroke[] } | null; busy: boolean }>(
    {
      waiting: [],
      sent: null,
      busy: false,
    },
  );
  const [waiting, setWaiting] = useState<readonly NewStroke[]>([]);
  const [problem, setProblem] = useState({ failure: '', refused: false });
  const become = (change: (strokes: Stroke[]) => Stroke[]) =>
    client.setQueryData<Strokes>(keyOf(documentMarks.strokes, asked), (before) => {
      const value = change(before?.value ?? []);
      return { value, total: value.length };
    });
  const listed = () => client.invalidateQueries({ queryKey: keyOf(documentMarks.list, { params: { id } }) });

  const drain = async () => {
    const now = queue.current;
    if (now.busy) return;
    now.busy = true;
    try {
      while (now.waiting.length > 0) {
        now.sent ??= { attempt: newAttempt(), strokes: now.waiting.slice(0, atOnce) };
        const { attempt, strokes } = now.sent;
        const body = { digest, strokes };
        const { value } = await send(documentMarks.draw, { params: { id }, body }, { attempt, quiet: true });
        now.waiting = now.waiting.slice(strokes.length);
        now.sent = null;
        become((before) => [...before, ...value]);
        setWaiting(now.waiting);
      }
      setProblem({ failure: '', refused: false });
      void listed();
    } catch (error) {
      const { kind, code, message } = error as CallFailed;
      setProblem({ failure: message, refused: kind === 'refused' && code !== codes.signedOut });
    } finally {
      now.busy = false;
    }
  };
  const again = useEffectEvent(() => {
    if (!problem.refused) void drain();
  });
  useEffect(() => {
    const timer = setInterval(() => again(), pause);
    return () => clearInterval(timer);
  }, []);

  return {
    strokes: data?.value ?? [],
    waiting,
    ...problem,
    draw(strokes) {
      queue.current.waiting = [...queue.current.waiting, ...strokes];
      setWaiting(queue.current.waiting);
      if (!problem.refused) void drain();
    },
    async erase(stroke) {
      become((before) => before.filter((one) => one.id !== stroke.id));
      try {
        await send(documentMarks.erase, { params: { id, stroke: stroke.id } });
        void listed();
      } catch {
        // The failure was shown; the saved strokes are loaded again.
        void client.invalidateQueries({ queryKey: [moduleOf(documentMarks.strokes), documentMarks.strokes.path] });
      }
    },
  };
}
