/** A value with its past and its undone versions. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** The subject of the last step; a step on the same subject is merged with it, so that a typed word is undone as a whole. */
  about: string | null;
}
export type Step<T> =
  | { type: 'edit'; change: (present: T) => T; about?: string }
  /** Changes the present value without a step: an action of the program, not the person. */
  | { type: 'adjust'; change: (present: T) => T }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'begin'; with: T };

/** The most steps that can be undone. */
export const longest = 100;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], about: null };
}

/** The history after a step. A change that returns the same value is no step. */
export function advance<T>(history: History<T>, step: Step<T>): History<T> {
  const { past, present, future, about } = history;
  switch (step.type) {
    case 'begin':
      return begin(step.with);
    case 'adjust':
      return { ...history, present: step.change(present) };
    case 'undo': {
      const before = past.at(-1);
      if (before === undefined) return history;
      return { past: past.slice(0, -1), present: before, future: [present, ...future], about: null };
    }
    case 'redo': {
      const [next, ...rest] = future;
      if (next === undefined) return history;
      return { past: [...past, present], present: next, future: rest, about: null };
    }
    case 'edit': {
      const next = step.change(present);
      if (next === present) return history;
      const joins = step.about !== undefined && step.about === about;
      return {
        past: joins ? past : [...past, present].slice(-longest),
        present: next,
        future: [],
        about: step.about ?? null,
      };
    }
  }
}
