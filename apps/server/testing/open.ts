import { obtainNginx } from '../../../scripts/find-nginx.ts';
import { openOffice, type Office, type OfficeOptions } from '../office.ts';
import { quietPort } from './port.ts';
import { startProxy } from './proxy.ts';

export interface Opened {
  url: string;
  /** Where each node itself listens. */
  nodes: readonly string[];
  /** Of the first node. */
  services: Office['services'];
  close(): Promise<void>;
}

type Options = Omit<OfficeOptions, 'trustedProxies'>;

async function openOne(options: Options, trustedProxies: readonly string[]): Promise<Opened & Office> {
  const office = await openOffice({ ...options, trustedProxies });
  const url = await office.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...office, url, nodes: [url] };
}

/** The product in this process; with NODES=2 in the environment twice, behind the proxy, so that a test's calls take turns. */
export async function openNodes(options: Options): Promise<Opened> {
  const nginx = process.env['NODES'] === '2' ? obtainNginx() : undefined;
  if (!nginx) return openOne(options, []);
  // The nodes are told where people find them, as behind any proxy.
  const port = await quietPort();
  const both = { ...options, publicUrl: `http://127.0.0.1:${port}` };
  const first = await openOne(both, ['127.0.0.1']);
  const second = await openOne(both, ['127.0.0.1']);
  const proxy = await startProxy(nginx, [first.url, second.url], port);
  return {
    url: proxy.url,
    nodes: [first.url, second.url],
    services: first.services,
    // The proxy last: what the nodes say as they leave goes through it.
    async close() {
      await Promise.all([first.close(), second.close()]);
      await proxy.stop();
    },
  };
}
