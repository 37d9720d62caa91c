import { useSyncExternalStore } from 'react';

/** A value in local storage under one key, shared by all its users. */
export interface Stored<T> {
  get(): T;
  set(value: T): void;
  use(): T;
}

export function stored<T extends object>(key: string, initial: T): Stored<T> {
  let value: T | null = null;
  const listeners = new Set<() => void>();
  const get = () => (value ??= { ...initial, ...read<T>(key) });
  return {
    get,
    set(next) {
      value = next;
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // A full storage only loses the memory of it, not the work.
      }
      for (const changed of listeners) changed();
    },
    use: () =>
      useSyncExternalStore((changed) => {
        listeners.add(changed);
        return () => listeners.delete(changed);
      }, get),
  };
}

function read<T>(key: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return value && typeof value === 'object' ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

export interface UserData {
  alias: string;
  identity: string;
  username: string;
}
export const userData = stored<UserData>('userData', { alias: '', identity: '', username: '' });

/** Theme colours to choose from; the first is the product's own. */
export const themeColours = ['#0099e0', '#1677ff', '#13a8a8', '#389e0d', '#d48806', '#d4380d', '#c41d7f', '#722ed1'];

/** The factor of each size of text to the usual one. */
export const textScales = { normal: 1, large: 1.125, larger: 1.25 } as const;
export type TextSize = keyof typeof textScales;

export interface ShellSettings {
  title: string;
  showSettings: boolean;
  tagsView: boolean;
  fixedHeader: boolean;
  sidebarLogo: boolean;
  errorLog: string;
  routesRole: string;
  theme: string;
  /** The site's last known colour. */
  siteTheme: string;
  dark: 'follow' | 'light' | 'dark';
  text: TextSize;
}
export const shellSettings = stored<ShellSettings>('settings', {
  title: '工单系统',
  showSettings: true,
  tagsView: true,
  fixedHeader: true,
  sidebarLogo: true,
  errorLog: 'production',
  routesRole: 'reception',
  theme: '#0099e0',
  siteTheme: '#0099e0',
  dark: 'follow',
  text: 'normal',
});

/** Sets the size that all style sheets count from. */
export function setTextSize(size: TextSize): void {
  document.documentElement.style.fontSize = `${textScales[size] * 100}%`;
}

/** Deletes the data about the signed-in person; settings and drafts stay. */
export function forgetUser(): void {
  userData.set({ alias: '', identity: '', username: '' });
  localStorage.removeItem('tagsView');
  localStorage.removeItem('lastWaits');
}

/** The number of times each page was opened here, by path. */
export const visits = stored<Record<string, number>>('visits', {});

/** Drafts and habits belong to one person: on a shared machine the next person must not see them, however they signed in. */
export function claimBrowser(username: string): void {
  if (localStorage.getItem('draftOwner') === username) return;
  for (const key of Object.keys(localStorage))
    if (key.startsWith('draft:') || key === 'ticketState' || key === 'lastWaits') localStorage.removeItem(key);
  visits.set({});
  localStorage.setItem('draftOwner', username);
}
