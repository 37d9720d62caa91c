// Run as a separate process: `node bench/load.ts '{"url": …}'` loads one address and prints its measurements as JSON.
import autocannon from 'autocannon';

export interface Load {
  url: string;
  token: string;
  seconds: number;
  connections: number;
  method?: 'GET' | 'POST';
  /** Sent as JSON. */
  body?: unknown;
}
export interface Loaded {
  perSecond: number;
  p50: number;
  p99: number;
  failed: number;
}

const { url, token, seconds, connections, method = 'GET', body } = JSON.parse(process.argv[2] ?? '{}') as Load;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  method,
  headers: { authorization: `JWT ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
  ...(body ? { body: JSON.stringify(body) } : {}),
});
const { requests, latency, non2xx, errors } = result;
console.log(
  JSON.stringify({
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    failed: non2xx + errors,
  } satisfies Loaded),
);
