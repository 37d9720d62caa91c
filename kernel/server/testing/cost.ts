/** Milliseconds that the unit of work below takes on the machine that limits are meant for. */
const reference = 0.6;

/**
 * Milliseconds that one unit of work takes now: more on a slower or shared machine. It measures elapsed time, because a thread's own time is counted
 * in ticks that are longer than this; the shortest of several runs is one without interruptions.
 */
function unit(): number {
  const once = () => {
    const before = performance.now();
    let text = '';
    for (let round = 0; round < 100; round += 1) text = JSON.stringify({ text, round }).slice(0, 4000);
    return performance.now() - before;
  };
  return Math.min(once(), once(), once(), once(), once());
}

/**
 * The cost of a piece of work for this thread: milliseconds on the machine that limits are meant for, and the peak memory above the start in
 * megabytes.
 */
export async function costOf(work: () => unknown): Promise<{ ms: number; mb: number }> {
  const slow = unit();
  const [cpu, rss] = [process.threadCpuUsage(), process.memoryUsage.rss()];
  const peak = process.resourceUsage().maxRSS;
  await work();
  const { user, system } = process.threadCpuUsage(cpu);
  const now = process.resourceUsage().maxRSS;
  const after = unit();
  return {
    ms: ((user + system) / 1000) * (reference / ((slow + after) / 2)),
    mb: now > peak ? (now * 1024 - rss) / 2 ** 20 : 0,
  };
}

/** The time of the quickest of a few tries, in milliseconds: during the first one the code is loaded and compiled. */
export async function leastCost(work: () => unknown, tries = 3): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < tries; at += 1) least = Math.min(least, (await costOf(work)).ms);
  return least;
}
