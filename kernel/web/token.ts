const key = 'Admin-Token';

/** The stored sign-in token, or ''. */
export function token(): string {
  return localStorage.getItem(key) ?? '';
}

/** Calls `tell` when another window has signed in, perhaps as another person; returns a function that ends this. */
export function onSignInElsewhere(tell: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === key && event.newValue) tell();
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}

/** Stores the token; `null` deletes it. */
export function keepToken(value: string | null): void {
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
}
