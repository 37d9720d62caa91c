const key = 'Admin-Token';

/** The stored sign-in token, or an empty string. */
export function token(): string {
  return localStorage.getItem(key) ?? '';
}

/** Tells when another window has signed in, perhaps as somebody else; answers what ends that. */
export function onSignInElsewhere(tell: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === key && event.newValue) tell();
  };
  window.addEventListener('storage', heard);
  return () => window.removeEventListener('storage', heard);
}

/** Keeps the token; `null` forgets it. */
export function keepToken(value: string | null): void {
  if (value) localStorage.setItem(key, value);
  else localStorage.removeItem(key);
}
