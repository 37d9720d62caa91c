import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { ProtocolReply } from '#kernel/server/http/implement.ts';

/** What an editor is told where the house refuses bytes. */
export function refused(error: unknown, tooBig: Refusal): ProtocolReply {
  if (!(error instanceof Refusal)) throw error;
  const status = error === tooBig ? 413 : error.code === codes.notNow ? 500 : 400;
  return new ProtocolReply(status, { headers: { 'x-wopi-servererror': encodeURIComponent(error.message) } });
}
