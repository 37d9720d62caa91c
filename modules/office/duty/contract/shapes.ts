import { z } from 'zod';
import { actions, timestamp } from '#kernel/contract/shapes.ts';
import { field, coded } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { swapState } from './codes.ts';

const int = z.number().int();
const Person = PersonCard.extend({
  post: int,
  /** Why the engine chose them; empty where somebody did by hand. */
  why: z.string(),
  works: z.boolean(),
  /** On leave, on a trip or wholly delegated at that time; only whoever looks after the shift is told. */
  away: z.boolean(),
});
export type Person = z.output<typeof Person>;
const shift = {
  id: int,
  version: int,
  plan_id: int,
  name: z.string(),
  day: z.string(),
  kind: int,
  start_time: timestamp,
  end_time: timestamp,
  phone: z.string(),
  /** By post: how many it takes. */
  needs: z.array(int),
  people: z.array(Person),
  /** How many are missing; whoever left the house is not there. */
  gap: int,
  state: int,
  mine: z.boolean(),
  /** Whether its people may be moved to other shifts: not begun, and the viewer looks after it. */
  movable: z.boolean(),
};
export const Shift = z.object(shift);
export type Shift = z.output<typeof Shift>;
export const Days = z.array(z.object({ day: z.string(), kind: int, holiday: z.string(), shifts: z.array(Shift) }));
export const Share = z.object({ id: int, alias: z.string(), post: int, before: z.number(), after: z.number() });
export const Entry = z.object({
  id: int,
  shift_id: int,
  kind: int,
  at: timestamp,
  content: z.string(),
  from: z.string(),
  told: z.string(),
  urgent: z.boolean(),
  handled: z.boolean(),
  files: z.array(FileCard),
  /** Why it was written only afterwards; empty where it was not. */
  late_reason: z.string(),
  by_name: z.string(),
});
export type Entry = z.output<typeof Entry>;
export const Swap = z.object({
  id: int,
  shift_id: int,
  post: int,
  day: z.string(),
  name: z.string().meta(field('班次')),
  start_time: timestamp,
  end_time: timestamp,
  from_name: z.string().meta(field('值班人')),
  with_name: z.string().meta(field('换给')),
  /** What is given in return; nothing where somebody stands in. */
  their_day: z.string().nullable().meta(field('换回')),
  reason: z.string().meta(field('原因')),
  state: int.meta(coded('状态', swapState.names)),
  gmt_created: timestamp,
  actions,
});
export type Swap = z.output<typeof Swap>;
