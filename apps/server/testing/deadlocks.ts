import type { TestOffice } from '../testing.ts';

/** The number of transactions of calls that the database has ended because of a deadlock so far; callers do not notice, because they are run again. */
export async function countDeadlocks({ nodes }: Pick<TestOffice, 'nodes'>): Promise<number> {
  const texts = await Promise.all(nodes.map(async (node) => (await fetch(`${node}/metrics`)).text()));
  const counts = texts.map((text) => /^gongdan_tried_again_total\{state="40P01"\} (\d+)$/m.exec(text)?.[1] ?? '0');
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
