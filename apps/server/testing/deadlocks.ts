import type { TestOffice } from '../testing.ts';

/** How often so far the database has ended a call's transaction for a ring of locks; who called does not notice, for it is run again. */
export async function countDeadlocks({ nodes }: Pick<TestOffice, 'nodes'>): Promise<number> {
  const texts = await Promise.all(nodes.map(async (node) => (await fetch(`${node}/metrics`)).text()));
  const counts = texts.map((text) => /^gongdan_tried_again_total\{state="40P01"\} (\d+)$/m.exec(text)?.[1] ?? '0');
  return counts.reduce((sum, count) => sum + Number(count), 0);
}
