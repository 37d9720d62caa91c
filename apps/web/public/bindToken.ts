const key = 'bindToken';
const milliseconds = 5 * 60_000;

/** The proof of a WeChat identity until it is bound; kept in this tab while the server accepts it, `null` deletes it. */
export function keepBindToken(value: string | null): void {
  if (value) sessionStorage.setItem(key, `${Date.now() + milliseconds}.${value}`);
  else sessionStorage.removeItem(key);
}

export function bindToken(): string | null {
  const [until, value] = (sessionStorage.getItem(key) ?? '').split('.');
  return value && Number(until) > Date.now() ? value : null;
}
