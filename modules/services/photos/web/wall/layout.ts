export interface Shape {
  width: number;
  height: number;
}
/** A row of the wall: its range of photos (end exclusive), height and position. */
export interface WallRow {
  from: number;
  to: number;
  top: number;
  height: number;
}
export const gap = 4;

/** Lays photos out in rows as wide as the wall, each in its own proportions. An incomplete last row keeps the wanted height. */
export function rowsOf(shapes: readonly Shape[], width: number, wanted: number): WallRow[] {
  const rows: WallRow[] = [];
  let [from, ratios, top] = [0, 0, 0];
  shapes.forEach((shape, at) => {
    ratios += Math.max(0.3, Math.min(4, shape.width / shape.height));
    const room = width - gap * (at - from);
    const last = at === shapes.length - 1;
    if (room / ratios > wanted && !last) return;
    const height = Math.min(wanted * 1.3, room / ratios);
    rows.push({ from, to: at + 1, top, height });
    top += height + gap;
    [from, ratios] = [at + 1, 0];
  });
  return rows;
}
