import { z } from 'zod';
import { actions, timestamp } from '#kernel/contract/shapes.ts';
import { field, coded } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { swapState } from './codes.ts';

const int = z.number().int();
const Person = PersonCard.extend({
  post: int,
  /** The engine's reason for choosing them; empty if assigned by hand. */
  why: z.string(),
  works: z.boolean(),
  /** On leave, on a trip or wholly delegated at that time; shown only to those who manage the shift. */
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
  /** The number of people each post takes. */
  needs: z.array(int),
  people: z.array(Person),
  /** The number of vacant seats; people who have left count as vacant. */
  gap: int,
  state: int,
  mine: z.boolean(),
  /** True if its people may be moved to other shifts: it has not begun, and the viewer manages it. */
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
  /** The reason for writing it afterwards; empty if it was written in time. */
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
  /** The shift given in return; null if the other takes it without one. */
  their_day: z.string().nullable().meta(field('换回')),
  reason: z.string().meta(field('原因')),
  state: int.meta(coded('状态', swapState.names)),
  gmt_created: timestamp,
  actions,
});
export type Swap = z.output<typeof Swap>;
