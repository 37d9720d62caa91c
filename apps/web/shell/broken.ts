import { send } from '#kernel/web/client.ts';
import { audit } from '#modules/platform/audit/contract.ts';

/** Reports the error of a page to the server; returns its number in the log. */
export async function noteBroken(error: unknown): Promise<string> {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const body = { path: location.pathname, message: message.slice(0, 500) || '—', stack: stack.slice(0, 4000) || '—' };
  return (await send(audit.broken, { body }, { quiet: true })).trace_id;
}
