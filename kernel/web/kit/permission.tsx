import { createContext, useContext } from 'react';
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
