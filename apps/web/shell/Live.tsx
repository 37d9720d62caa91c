import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { codes } from '#kernel/contract/refusal.ts';
import { send } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { askAnew } from '#kernel/web/live/asking.ts';
import { openLive } from '#kernel/web/live/connection.ts';
import { heardOf } from '#kernel/web/live/heard.ts';
import { onSignInElsewhere } from '#kernel/web/token.ts';
import { messages, socketPath } from '#modules/platform/messages/contract.ts';
import { useSession } from './SessionContext.ts';

const gatherMs = 200;

/** Receives changes while the page is visible, and repeats the queries marked as such in their `meta`. */
export default function Live() {
  const queries = useQueryClient();
  const { username } = useSession().me;
  useEffect(() => {
    const waiting = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      timer = undefined;
      if (document.hidden || waiting.size === 0) return;
      const topics = new Set(waiting);
      waiting.clear();
      heardOf(topics);
      askAnew(queries, topics);
    };
    const listen = () =>
      openLive({
        url: `${location.origin.replace('http', 'ws')}${socketPath}`,
        username,
        ticket,
        hear(topics) {
          for (const topic of topics) waiting.add(topic);
          timer ??= setTimeout(flush, gatherMs);
        },
      });
    let live = listen();
    // Signing in in another window may have ended this window's connection.
    const deaf = onSignInElsewhere(() => {
      live.close();
      live = listen();
    });
    const back = () => {
      if (document.hidden) return;
      live.wake();
      flush();
    };
    document.addEventListener('visibilitychange', back);
    window.addEventListener('online', back);
    return () => {
      clearTimeout(timer);
      deaf();
      document.removeEventListener('visibilitychange', back);
      window.removeEventListener('online', back);
      live.close();
    };
  }, [queries, username]);
  return null;
}

async function ticket(): Promise<string | null> {
  try {
    return (await send(messages.ticket, {}, { quiet: true, hold: false })).ticket;
  } catch (error) {
    if (error instanceof CallFailed && error.code === codes.signedOut) return null;
    throw error;
  }
}
