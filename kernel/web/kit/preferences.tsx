import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** Where columns, saved views and phrases are kept for a person; the shell keeps them on the server. */
export interface Preferences {
  get(key: string): unknown;
  /** `null` forgets the entry. */
  save(key: string, value: unknown): void;
  subscribe(changed: () => void): () => void;
}

/** Preferences that live as long as the page: for tests, and until the server's have come. */
export function fleetingPreferences(
  values: Record<string, unknown> = {},
  saved?: (key: string, value: unknown) => void,
): Preferences {
  let kept = { ...values };
  const listeners = new Set<() => void>();
  return {
    get: (key) => kept[key],
    save(key, value) {
      kept = { ...kept, [key]: value ?? undefined };
      for (const changed of listeners) changed();
      saved?.(key, value);
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

export const PreferencesContext = createContext<Preferences>(fleetingPreferences());

/** One preference and how to change it; `initial` when nothing is kept. `initial` must be a constant. */
export function usePreference<T>(key: string, initial: T): [T, (value: T | null) => void] {
  const preferences = useContext(PreferencesContext);
  const value = useSyncExternalStore(preferences.subscribe, () => preferences.get(key)) as T | undefined;
  const save = useCallback((next: T | null) => preferences.save(key, next), [preferences, key]);
  return [value ?? initial, save];
}
