import { createContext, useContext, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PermissionCode } from '#kernel/contract/call.ts';

/** Codes the signed-in person holds on the page at a path; the shell answers from the menu. */
export type CodesAt = (path: string) => readonly PermissionCode[];

export const PermissionContext = createContext<CodesAt>(() => []);

/** Whether the person holds a code here: the key is the current path plus the code. */
export function usePermission(): (code: PermissionCode) => boolean {
  const codesAt = useContext(PermissionContext);
  const { pathname } = useLocation();
  return (code) => codesAt(pathname).includes(code);
}

/** A part of another page within this one: it offers what the person may do there, and is left out where they may not read it. */
export function OnPage({ path, children }: { path: string; children: ReactNode }) {
  const codesAt = useContext(PermissionContext);
  const codes = codesAt(path);
  if (!codes.includes('Retrieve')) return null;
  return <PermissionContext.Provider value={() => codes}>{children}</PermissionContext.Provider>;
}
/** The same question for whoever decides what to show: a tab. */
export const useCodesAt = (): CodesAt => useContext(PermissionContext);

/** An address with a query is a list's: it is there for whoever may read that list. Of a record its own page says whether it opens. */
export function useReadable(): (address: string | undefined) => string | undefined {
  const codesAt = useContext(PermissionContext);
  return (address) => {
    const [path = '', query] = address?.split('?') ?? [];
    return query === undefined || codesAt(path).includes('Retrieve') ? address : undefined;
  };
}
