/** The item open in the panel. */
export type Selection =
  | { kind: 'state'; id: number }
  | { kind: 'transition'; id: number; branch: number | null }
  | null;
