import { useState } from 'react';
import type { FieldError } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '../../../failure.ts';

interface Trouble {
  errors: FieldError[];
  failure: CallFailed | null;
  /** Counts the times it was told: each time the person is led to it. */
  times: number;
}
const none: Trouble = { errors: [], failure: null, times: 0 };

/** What stands in the way of sending a form. */
export function useTrouble() {
  const [trouble, set] = useState(none);
  return {
    ...trouble,
    tell: (errors: FieldError[], failure: CallFailed | null = null) =>
      set(({ times }) => ({ errors, failure, times: times + 1 })),
    /** A field is being mended. */
    forget: (...fields: string[]) =>
      set((before) => ({ ...before, errors: before.errors.filter(({ field }) => !fields.includes(field)) })),
    clear: () => set(({ times }) => ({ ...none, times })),
  };
}
