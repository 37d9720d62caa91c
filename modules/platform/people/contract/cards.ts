import { z } from 'zod';
import { field } from '#kernel/contract/titles.ts';

/** A person as other records and pickers show them. */
export const PersonCard = z.object({
  id: z.number().int(),
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  dept_id: z.number().int().nullable(),
  dept_name: z.string().meta(field('部门')),
});
export type PersonCard = z.output<typeof PersonCard>;

/** A department in a picker: flat, `parentId` 0 at the top; `user_count` counts people with it as main department. */
export const DeptOption = z.object({
  id: z.number().int(),
  name: z.string(),
  parentId: z.number().int(),
  user_count: z.number().int(),
});
export type DeptOption = z.output<typeof DeptOption>;

export interface DeptBranch extends DeptOption {
  users: PersonCard[];
  children: DeptBranch[];
}
export const DeptBranch: z.ZodType<DeptBranch> = DeptOption.extend({
  users: z.array(PersonCard),
  get children() {
    return z.array(DeptBranch);
  },
});
