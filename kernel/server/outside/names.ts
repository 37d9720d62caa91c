import { promises as dns } from 'node:dns';
import { createStore } from '../process/store.ts';
import { Unanswered } from './outgoing.ts';

/** The resolver could not find out whether a name has an address: its own fault, not that of the name's owner. */
export class Unresolved extends Error {}

const keptMs = 30_000;
const mostKept = 20_000;
/** The name does not exist, or has no such address: a valid answer. */
const noAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Resolves names by asking the resolvers directly; results are kept for half a minute. The system's own call is avoided, because its few threads also
 * hash passwords and read files: a thousand names without an answer would block them all.
 */
export function createNames(servers?: readonly string[]): (host: string) => Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const kept = createStore<string, { until: number; found: Promise<string[]> }>(mostKept);
  const ask = async (host: string): Promise<string[]> => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length > 0) return found;
    const codes = [four, six].flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as { code?: string }).code ?? ''] : [],
    );
    if (codes.every((code) => noAddress.has(code))) throw new Unanswered(`找不到 ${host} 的地址`);
    throw new Unresolved(`${host} 的域名解析没有回答（${codes.find((code) => !noAddress.has(code))}）`);
  };
  return (host) => {
    const now = Date.now();
    const known = kept.get(host);
    if (known && known.until > now) return known.found;
    const found = ask(host);
    found.catch(() => undefined);
    kept.set(host, { until: now + keptMs, found });
    return found;
  };
}
