import { z } from 'zod';

/** The things that a definition names in the organisation: a person, the people of a department or those who sign for one, a user group, a role, a post. */
export type NamedKind = 'user' | 'dept' | 'heads' | 'group' | 'role' | 'post';

/** The schemas of what is named; with null, of what is by no person and no way to find one: another workflow, a way out of the house. */
export const naming = z.registry<{ names: NamedKind | null }>();

/** A row of the house by its id. */
export const idOf = (names: NamedKind | null) =>
  z.number().int().positive().max(2_147_483_647).register(naming, { names });

/** A role by its code, a post by what it is called. */
export const wordOf = <S extends z.ZodType>(names: 'role' | 'post', schema: S): S => {
  naming.add(schema, { names });
  return schema;
};
