const key = 'Admin-Token';

/** The stored sign-in token, or an empty string. */
export function token(): string {
  return localStorage.getItem(key) ?? '';
}

/** Keeps the token; `null` forgets it. */
export function keepToken(value: string | null): void {
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
}
