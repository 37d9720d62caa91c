/** Paths that can be reached without a token. */
export const openPaths = [
  '/login',
  '/loginTwo',
  '/login2',
  '/forgotten',
  '/index',
  '/myOrder',
  '/auth-redirect',
  '/404',
  '/401',
];
const signInPaths = ['/login', '/loginTwo', '/login2', '/forgotten'];

export type Entry = { kind: 'redirect'; to: string } | { kind: 'public' } | { kind: 'office' };

/** The destination of an address: the public pages, the office, or a redirection. `search` begins with `?` or is empty. */
export function entryAt(path: string, search: string, signedIn: boolean): Entry {
  if (path === '/') return { kind: 'redirect', to: '/index' };
  const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  // A person who comes back from another server is finishing a sign-in, whoever was signed in here before.
  if (trimmed === '/auth-redirect') return { kind: 'public' };
  if (signedIn) return signInPaths.includes(trimmed) ? { kind: 'redirect', to: '/' } : { kind: 'office' };
  if (openPaths.includes(trimmed)) return { kind: 'public' };
  return { kind: 'redirect', to: `/login?redirect=${encodeURIComponent(path + search)}` };
}

/** A return address that stays on this site; `/` for anything else. */
export function safeWayBack(wanted: string | null): string {
  return wanted && /^\/(?![/\\])/.test(wanted) && !/[\p{Cc}\\]/u.test(wanted) ? wanted : '/';
}
