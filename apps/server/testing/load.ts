import type { Client } from '../testing.ts';

/** One request of the load; anything but a successful answer of the product is a failure. */
export interface Request {
  title: string;
  ask(round: number): Promise<{ code: number; msg: string }>;
}
export interface Load {
  /** Failures in sentences. */
  failures: string[];
  answered: number;
}

/** Sends requests continuously, `hands` at a time, until `work` is done; then waits for those under way. */
export async function under(
  requests: readonly Request[],
  hands: number,
  work: (load: Load) => Promise<void>,
): Promise<Load> {
  const load: Load = { failures: [], answered: 0 };
  let over = false;
  let round = 0;
  const hand = async () => {
    while (!over) {
      const one = requests[round % requests.length]!;
      const { code, msg } = await one
        .ask(round++)
        .catch((error: Error) => ({ code: -1, msg: String(error.cause ?? error) }));
      load.answered++;
      if (code !== 0) load.failures.push(`${one.title}：${code} ${msg}`);
    }
  };
  const all = Array.from({ length: hands }, hand);
  try {
    await work(load);
  } finally {
    over = true;
    await Promise.all(all);
  }
  return load;
}

/** The raw answer as a proxy or browser sees it: an answer that is no envelope counts as a failure, too. */
export async function plainly(who: Client, path: string): Promise<{ code: number; msg: string }> {
  const response = await who.fetch(path);
  const text = await response.text();
  return { code: response.ok ? 0 : response.status, msg: text.slice(0, 100) };
}
