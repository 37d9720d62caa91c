/** A value with what it was and what it would be again. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What the last step was about; a step about the same joins it, so that a typed word is undone as a whole. */
  about: string | null;
}
export type Step<T> =
  | { type: 'edit'; change: (present: T) => T; about?: string }
  /** Changes what is there without a step of its own: what the program did, not the person. */
  | { type: 'adjust'; change: (present: T) => T }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'begin'; with: T };

/** Steps that can be undone at most. */
export const longest = 100;

export function begin<T>(present: T): History<T> {
  return { past: [], present, future: [], about: null };
}

/** The history after a step. A change that answers the same value is no step. */
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
