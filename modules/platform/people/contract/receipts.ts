import { z } from 'zod';

const int = z.number().int();
const named = z.array(z.object({ id: int, alias: z.string() }));
const counts = {
  total: int,
  /** Opened it. */
  read: int,
  /** Did besides what is asked or may be said: confirmed, replied. */
  done: int,
  /** Still owe what is asked of them. */
  late: int,
};

/** How far the people of a department have come; names, the first twenty of each, only where they were asked for. */
export const DeptReceipts = z.object({
  dept_id: int.nullable(),
  dept_name: z.string(),
  ...counts,
  late_people: named,
  other_people: named,
});
export type DeptReceipts = z.output<typeof DeptReceipts>;

/** How far people have come with something that was given to them, by department. */
export const Receipts = z.object({
  ...counts,
  /** How many of those who are late whoever looks may urge: not themselves, nor who has left. */
  to_urge: int,
  depts: z.array(DeptReceipts),
});
export type Receipts = z.output<typeof Receipts>;
