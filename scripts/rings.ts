// Which modules need which, by the imports of their files, and where they need each other in a ring: `npm run check` asks it of the whole tree.
import { posix } from 'node:path';

/** A file that leads out of its module, where to. */
export interface Way {
  file: string;
  to: string;
}
/** Module → module → the files that lead there. */
export type Needs = ReadonlyMap<string, ReadonlyMap<string, readonly Way[]>>;

const imported = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*@?import\s*|\bnew URL\(\s*)'((?:#modules\/|\.\.?\/)[^']+)'/gm;
export const notCounted = /\.test\.tsx?$|\/testing\//;
/** Where modules are put together: it hands one module what it asks of another. */
const composition = /^modules\/[^/]+\/[^/]+\/module\.ts$/;
/** What browser and server agree on. */
const agreement = /^modules\/[^/]+\/[^/]+\/(contract|shapes)(\/|\.ts$)/;
export const moduleOf = (path: string) => /^modules\/[^/]+\/([^/]+)\/./.exec(path)?.[1];

/** Where a file leads to, from the top of the tree: what it imports, types too, at once or later, and what it begins as a thread. */
export const leadsOf = (file: string, text: string): string[] =>
  [...text.matchAll(imported)].map(([, written]) =>
    written!.startsWith('#') ? written!.slice(1) : posix.join(posix.dirname(file), written!),
  );

/** What modules need of each other, types too; what leads to a contract does not count, nor does a `module.ts`. */
export function needsOf(files: Iterable<readonly [path: string, text: string]>): Needs {
  const needs = new Map<string, Map<string, Way[]>>();
  for (const [file, text] of files) {
    const from = moduleOf(file);
    if (from === undefined || notCounted.test(file) || composition.test(file)) continue;
    for (const path of leadsOf(file, text)) {
      const to = moduleOf(path);
      if (to === undefined || to === from || agreement.test(path)) continue;
      const ways = needs.get(from) ?? needs.set(from, new Map<string, Way[]>()).get(from)!;
      ways.set(to, [...(ways.get(to) ?? []), { file, to: path }]);
    }
  }
  return needs;
}

/** One shortest ring through each module that is in one, each ring once, from its first name on. */
export function ringsIn(needs: Needs): string[][] {
  const found = new Map<string, string[]>();
  for (const start of needs.keys()) {
    const ring = backTo(start, needs);
    if (!ring) continue;
    const names = ring.toSorted();
    const first = ring.indexOf(names[0]!);
    found.set(names.join(), [...ring.slice(first), ...ring.slice(0, first)]);
  }
  return [...found.values()];
}

function backTo(start: string, needs: Needs): string[] | null {
  const before = new Map<string, string>();
  for (const at of queueFrom(start, needs, before)) {
    if (!needs.get(at)?.has(start)) continue;
    const ring = [at];
    while (ring[0] !== start) ring.unshift(before.get(ring[0]!)!);
    return ring;
  }
  return null;
}

/** All that is reached from a module, the nearest first; `before` learns by way of which. */
function* queueFrom(start: string, needs: Needs, before: Map<string, string>): Generator<string> {
  const queue = [start];
  for (let next = 0; next < queue.length; next += 1) {
    const at = queue[next]!;
    yield at;
    for (const to of needs.get(at)?.keys() ?? [])
      if (to !== start && !before.has(to)) {
        before.set(to, at);
        queue.push(to);
      }
  }
}

/** A ring in words, with a file for each of its steps. */
export function ringText(ring: readonly string[], needs: Needs): string {
  const steps = ring.map((from, index) => {
    const to = ring[(index + 1) % ring.length]!;
    const [first, ...others] = needs.get(from)!.get(to)!;
    const more = others.length > 0 ? `，另 ${others.length} 处` : '';
    return `  ${from} → ${to}：${first!.file}（${first!.to}${more}）`;
  });
  return `模块互相依赖成环：${[...ring, ring[0]].join(' → ')}\n${steps.join('\n')}`;
}
