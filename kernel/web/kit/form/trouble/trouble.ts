import { useCallback, useState } from 'react';
import type { FieldError } from '#kernel/contract/refusal.ts';
import type { CallFailed } from '../../../failure.ts';

interface Trouble {
  errors: FieldError[];
  failure: CallFailed | null;
  /** Counts the reports: each one leads the person to the summary. */
  times: number;
}
const none: Trouble = { errors: [], failure: null, times: 0 };

/** The obstacles to sending a form. */
export function useTrouble() {
  const [trouble, set] = useState(none);
  const forget = useCallback(
    (...fields: string[]) =>
      set((before) => {
        const errors = before.errors.filter(({ field }) => !fields.includes(field));
        return errors.length === before.errors.length ? before : { ...before, errors };
      }),
    [],
  );
  return {
    ...trouble,
    tell: (errors: FieldError[], failure: CallFailed | null = null) =>
      set(({ times }) => ({ errors, failure, times: times + 1 })),
    /** Clears the errors of fields that are being corrected. */
    forget,
    clear: () => set(({ times }) => ({ ...none, times })),
  };
}
