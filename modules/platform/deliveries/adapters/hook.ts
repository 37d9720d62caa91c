import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { Undeliverable, type ChannelAdapter } from '../service.ts';
import { signature } from '../signing.ts';

/** Body of a payload for a web hook. */
export interface HookBody {
  /** Sent as JSON. */
  payload: unknown;
  /** Sealed; signs the request if present. */
  secret?: string;
}

export interface AdapterPorts {
  outgoing: Outgoing;
  secretBox: SecretBox;
  now?: () => Date;
}

/** Web hooks, signed by the Standard Webhooks specification. */
export function hookAdapter({ outgoing, secretBox, now = () => new Date() }: AdapterPorts): ChannelAdapter {
  return {
    async send({ key, target, body: delivery }) {
      const { payload, secret } = delivery as HookBody;
      const body = JSON.stringify(payload);
      const timestamp = String(Math.floor(now().getTime() / 1000));
      const { status } = await outgoing.request(target, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          'idempotency-key': key,
          'webhook-id': key,
          'webhook-timestamp': timestamp,
          ...(secret && { 'webhook-signature': signature(secretBox.open(secret), `${key}.${timestamp}.${body}`) }),
        },
      });
      if (status === 410) throw new Undeliverable('对方已停用这个地址（410）');
      if (status < 200 || status > 299) throw new Error(`对方回答 ${status}`);
      return { answer: String(status) };
    },
  };
}
