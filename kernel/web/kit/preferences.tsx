import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { ColumnChoice } from './list/columns/columns.ts';

/** Keeps columns, saved views and phrases for a person; the shell keeps them on the server. */
export interface Preferences {
  get(key: string): unknown;
  /** `null` deletes the entry. */
  save(key: string, value: unknown): void;
  subscribe(changed: () => void): () => void;
}

/** Preferences that live as long as the page: for tests, and until the server's have arrived. */
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

/** One preference and a function to change it; `initial` if nothing is stored. `initial` must be a constant. */
export function usePreference<T>(key: string, initial: T): [T, (value: T | null) => void] {
  const preferences = useContext(PreferencesContext);
  const value = useSyncExternalStore(preferences.subscribe, () => preferences.get(key)) as T | undefined;
  const save = useCallback((next: T | null) => preferences.save(key, next), [preferences, key]);
  return [value ?? initial, save];
}

/** A search of a list or an arrangement of its columns that is shared with a role; `mine` means that the person may withdraw it. */
export interface SharedView {
  id: number;
  name: string;
  search: string | null;
  columns: ColumnChoice | null;
  role_name: string;
  creator: string;
  mine: boolean;
}
/** Keeps what is shared with roles; the shell keeps it on the server. */
export interface SharedViews {
  /** The roles with which the person may share. */
  roles: readonly { id: number; name: string }[];
  of(list: string): Promise<readonly SharedView[]>;
  share(view: {
    list: string;
    name: string;
    shared: { search: string } | { columns: ColumnChoice };
    role_id: number;
  }): Promise<unknown>;
  remove(id: number): Promise<unknown>;
}
export const SharedViewsContext = createContext<SharedViews | null>(null);
