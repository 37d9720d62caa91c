import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port nobody listens on, below those that the system uses for outgoing connections: it is still free after a restart. */
export async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!free) continue;
    await new Promise((closed) => probe.close(closed));
    return port;
  }
}
