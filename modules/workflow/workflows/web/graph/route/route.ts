import type { Link } from './links.ts';

/** Size of a node in the drawing's pixels, and the distance of rows. */
export const nodeSize = { width: 184, height: 60 } as const;
const rowHeight = 130;

export interface Point {
  x: number;
  y: number;
}
export type Positions = ReadonlyMap<number, Point>;
export type Side = 'top' | 'right' | 'bottom' | 'left';
/** The sides at which a line leaves and enters its nodes, and its distance from them. */
export interface Route {
  from: Side;
  to: Side;
  /** Distance in pixels of a line that runs along the side. */
  offset: number;
  /** Horizontal shift in pixels, so that lines between the same two nodes do not overlap. */
  shift: number;
}

/**
 * Lines that lead down go from bottom to top; those that lead back run along the right, and those that would cross a node run along the left. Longer
 * ones keep farther off, so that they do not cover each other.
 */
export function routeOf(link: Link, links: readonly Link[], at: Positions): Route {
  const source = at.get(link.source);
  const target = at.get(link.target);
  if (!source || !target || link.source === link.target) return { from: 'right', to: 'right', offset: 24, shift: 0 };
  const twins = links.filter((one) => one.source === link.source && one.target === link.target);
  const place = twins.indexOf(link) - (twins.length - 1) / 2;
  const rise = target.y - source.y;
  const offset = 20 + Math.round((12 * Math.abs(rise)) / rowHeight) + Math.round(18 * (place + twins.length / 2));
  if (Math.abs(rise) < nodeSize.height) {
    return source.x < target.x
      ? { from: 'right', to: 'left', offset: 20, shift: place * 16 }
      : { from: 'left', to: 'right', offset: 20, shift: place * 16 };
  }
  if (rise < 0) return { from: 'right', to: 'right', offset, shift: 0 };
  if (blocked(source, target, link, at)) return { from: 'left', to: 'left', offset, shift: 0 };
  return { from: 'bottom', to: 'top', offset: 20, shift: place * 60 };
}

function blocked(source: Point, target: Point, link: Link, at: Positions): boolean {
  const [low, high] = [Math.min(source.x, target.x), Math.max(source.x, target.x)];
  for (const [id, point] of at) {
    if (id === link.source || id === link.target) continue;
    const between = point.y > source.y + nodeSize.height / 2 && point.y < target.y - nodeSize.height / 2;
    if (between && point.x + nodeSize.width / 2 > low && point.x - nodeSize.width / 2 < high) return true;
  }
  return false;
}
