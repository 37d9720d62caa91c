import { codes, Refusal } from '#kernel/contract/refusal.ts';
import { ProtocolReply } from '#kernel/server/http/implement.ts';

/** The editor's reply when bytes are refused. */
export function refused(error: unknown, tooBig: Refusal): ProtocolReply {
  if (!(error instanceof Refusal)) throw error;
  const status = error === tooBig ? 413 : error.code === codes.notNow ? 500 : 400;
  return new ProtocolReply(status, { headers: { 'x-wopi-servererror': encodeURIComponent(error.message) } });
}
