/** What the unit of work below takes on the machine that limits are meant for, in milliseconds. */
const reference = 0.6;

/**
 * What a piece of work of one size takes now, in milliseconds: more where the machine is slower, or where others share it. By the clock, since
 * what a thread used is counted by ticks that are longer than this; the shortest of several is one that nothing came into.
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
 * What one piece of work cost this thread, in milliseconds of the machine that limits are meant for, and the most memory it stood at beyond
 * where it began, in megabytes.
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

/** The same of the quickest of a few tries, in milliseconds: the first is read and compiled while it runs. */
export async function leastCost(work: () => unknown, tries = 3): Promise<number> {
  let least = Infinity;
  for (let at = 0; at < tries; at += 1) least = Math.min(least, (await costOf(work)).ms);
  return least;
}
