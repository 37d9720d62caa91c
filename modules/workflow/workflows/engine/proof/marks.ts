import { startOf, type Definition } from '../definition.ts';
import type { Place } from './finishing.ts';
import { isBlank, type Space } from './space.ts';

/** For each state the marked positions of the space. */
export type Marks = Map<number, Uint8Array>;

/** Positions from which an end can be reached: by some button and, if nobody may have to act, by the automatic way too. Grows until nothing is added. */
export function winning(places: ReadonlyMap<number, Place>, size: number): Marks {
  const marks: Marks = new Map(
    [...places].map(([id, { state }]) => [id, new Uint8Array(size).fill(state.kind === 'end' ? 1 : 0)]),
  );
  const good = (target: number | null, v: number) => target !== null && marks.get(target)?.[v] === 1;
  const classes = new Uint8Array(size);
  for (let grew = true; grew;) {
    grew = false;
    for (const [id, place] of places) {
      const mine = marks.get(id)!;
      if (!mine.includes(0)) continue;
      if (place.human) {
        classes.fill(0);
        for (let v = 0; v < size; v++) if (place.firm.some((way) => good(way(v), v))) classes[place.classes[v]!] = 1;
      }
      for (let v = 0; v < size; v++) {
        if (mine[v] === 1) continue;
        const chosen =
          !place.human || classes[place.classes[v]!] === 1 || (place.timed !== null && good(place.timed(v), v));
        if (!chosen) continue;
        const passed = place.by_itself ? place.by_itself(v).every((target) => good(target, v)) : place.human;
        if (!passed) continue;
        mine[v] = 1;
        grew = true;
      }
    }
  }
  return marks;
}

/** Positions a ticket may reach, beginning with a form in which only the start's writable fields have values. */
export function reachable(definition: Definition, places: ReadonlyMap<number, Place>, space: Space): Marks {
  const { size, axes } = space;
  const marks: Marks = new Map([...places.keys()].map((id) => [id, new Uint8Array(size)]));
  const ids = [...places.keys()];
  const indexes = new Map(ids.map((id, index) => [id, index]));
  // State and position in one number: millions of pairs would not fit.
  const open: number[] = [];
  const visit = (id: number, v: number) => {
    const mine = marks.get(id);
    if (!mine || mine[v] === 1) return;
    mine[v] = 1;
    open.push(indexes.get(id)! * size + v);
  };
  const start = startOf(definition).id;
  for (let v = 0; v < size; v++)
    if (axes.every(({ field }, axis) => field === null || isBlank(space, axis, v))) visit(start, v);
  const members = new Map<Int32Array, Members>();
  const expanded = new Map([...places.keys()].map((id) => [id, new Uint8Array(size)]));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [id, v] = [ids[Math.floor(next / size)]!, next % size];
    const place = places.get(id);
    if (!place) continue;
    for (const target of place.by_itself?.(v) ?? []) visit(target, v);
    if (place.timed) visit(place.timed(v), v);
    const own = place.classes[v]!;
    const done = expanded.get(id)!;
    if (!place.human || done[own] === 1) continue;
    done[own] = 1;
    const found = members.get(place.classes) ?? membersOf(place.classes);
    members.set(place.classes, found);
    for (const other of found(own)) {
      visit(id, other);
      for (const way of place.ways) {
        const target = way(other);
        if (target !== null) visit(target, other);
      }
    }
  }
  return marks;
}

type Members = (own: number) => Int32Array;

/** The positions of each class, without scanning all positions for each. */
function membersOf(classes: Int32Array): Members {
  const ends = new Int32Array(classes.length + 1);
  for (const own of classes) ends[own + 1]! += 1;
  for (let own = 0; own < classes.length; own++) ends[own + 1]! += ends[own]!;
  const sorted = new Int32Array(classes.length);
  const next = ends.slice();
  for (const [v, own] of classes.entries()) sorted[next[own]!++] = v;
  return (own) => sorted.subarray(ends[own], ends[own + 1]);
}
