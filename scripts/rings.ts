// Finds the imports between modules, and rings of modules that need each other: `npm run check` runs it on the whole tree.
import { posix } from 'node:path';

/** A file that imports from another module, and the target. */
export interface Way {
  file: string;
  to: string;
}
/** Module → module → the files that lead there. */
export type Needs = ReadonlyMap<string, ReadonlyMap<string, readonly Way[]>>;

const imported = /(?:\bfrom\s*|\bimport\s*\(\s*|^\s*@?import\s*|\bnew URL\(\s*)'((?:#modules\/|\.\.?\/)[^']+)'/gm;
export const notCounted = /\.test\.tsx?$|\/testing\//;
/** The file that composes a module: it passes in what the module needs from others. */
const composition = /^modules\/[^/]+\/[^/]+\/module\.ts$/;
/** Files that browser and server share. */
const agreement = /^modules\/[^/]+\/[^/]+\/(contract|shapes)(\/|\.ts$)/;
export const moduleOf = (path: string) => /^modules\/[^/]+\/([^/]+)\/./.exec(path)?.[1];

/** The targets of a file's imports, as paths from the root: types too, static or dynamic, and threads that it starts. */
export const leadsOf = (file: string, text: string): string[] =>
  [...text.matchAll(imported)].map(([, written]) =>
    written!.startsWith('#') ? written!.slice(1) : posix.join(posix.dirname(file), written!),
  );

/** The needs of modules for each other, types included; imports of contracts and in `module.ts` do not count. */
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

/** One shortest ring through each module that is in one, each ring once, beginning with its first name. */
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

/** All modules reachable from one, the nearest first; `before` records the way. */
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

/** Describes a ring, with a file for each of its steps. */
export function ringText(ring: readonly string[], needs: Needs): string {
  const steps = ring.map((from, index) => {
    const to = ring[(index + 1) % ring.length]!;
    const [first, ...others] = needs.get(from)!.get(to)!;
    const more = others.length > 0 ? `，另 ${others.length} 处` : '';
    return `  ${from} → ${to}：${first!.file}（${first!.to}${more}）`;
  });
  return `模块互相依赖成环：${[...ring, ring[0]].join(' → ')}\n${steps.join('\n')}`;
}
