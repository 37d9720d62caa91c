import { createContext, useContext, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { PermissionCode } from '#kernel/contract/call.ts';

/** Returns the codes that the signed-in person holds on the page at a path; the shell reads them from the menu. */
export type CodesAt = (path: string) => readonly PermissionCode[];

export const PermissionContext = createContext<CodesAt>(() => []);

/** True if the person holds a code here: the key is the current path plus the code. */
export function usePermission(): (code: PermissionCode) => boolean {
  const codesAt = useContext(PermissionContext);
  const { pathname } = useLocation();
  return (code) => codesAt(pathname).includes(code);
}

/** Shows part of another page within this one: it offers what the person may do there, and is hidden if they may not read it. */
export function OnPage({ path, children }: { path: string; children: ReactNode }) {
  const codesAt = useContext(PermissionContext);
  const codes = codesAt(path);
  if (!codes.includes('Retrieve')) return null;
  return <PermissionContext.Provider value={() => codes}>{children}</PermissionContext.Provider>;
}
/** The codes for any path, for code that decides what to show, such as a tab. */
export const useCodesAt = (): CodesAt => useContext(PermissionContext);

/**
 * Returns an address if the person may read it: an address with a query belongs to a list, which its readers may open. The page of a record decides
 * for itself.
 */
export function useReadable(): (address: string | undefined) => string | undefined {
  const codesAt = useContext(PermissionContext);
  return (address) => {
    const [path = '', query] = address?.split('?') ?? [];
    return query === undefined || codesAt(path).includes('Retrieve') ? address : undefined;
  };
}
