import type { FlowLog } from '../../contract/shapes.ts';

/** A handwritten signature. */
export function Signature({ log }: { log: Pick<FlowLog, 'signature' | 'participant_info'> }) {
  const who = log.participant_info?.alias ?? '';
  return log.signature && <img className="ticket-signature" src={log.signature.url} alt={`${who} 的签名`} />;
}
