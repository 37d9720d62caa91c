import { z } from 'zod';

const int = z.number().int();
const named = z.array(z.object({ id: int, alias: z.string() }));
const counts = {
  total: int,
  /** The number who opened it. */
  read: int,
  /** The number who did more than required: confirmed, replied. */
  done: int,
  /** The number who have not done what is required. */
  late: int,
};

/** The progress of a department's people; names, the first twenty of each, only if requested. */
export const DeptReceipts = z.object({
  dept_id: int.nullable(),
  dept_name: z.string(),
  ...counts,
  late_people: named,
  other_people: named,
});
export type DeptReceipts = z.output<typeof DeptReceipts>;

/** The progress of all recipients of something, by department. */
export const Receipts = z.object({
  ...counts,
  /** The number of late people the viewer may urge: not themselves, nor those who left. */
  to_urge: int,
  depts: z.array(DeptReceipts),
});
export type Receipts = z.output<typeof Receipts>;
