const key = 'meet-device';
const kept = (meeting: number) => `meet-ticket:${meeting}`;

/** A random id of this browser, generated once. */
export function deviceOf(): string {
  const known = localStorage.getItem(key);
  if (known) return known;
  const made = crypto
    .getRandomValues(new Uint32Array(4))
    .reduce((text, part) => text + part.toString(16).padStart(8, '0'), '');
  localStorage.setItem(key, made);
  return made;
}
export const ticketOf = (meeting: number): string | null => sessionStorage.getItem(kept(meeting));

/** Exchanges a scanned code for a ticket at once, before any login, so that a slow login does not outlast the code. */
export async function exchange(meeting: number, code: string): Promise<void> {
  const answer = await fetch(`/api/meet/${meeting}/scan/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, device: deviceOf() }),
  }).catch(() => null);
  const said = (await answer?.json().catch(() => null)) as { code: number; data: { ticket: string } } | null;
  if (said?.code === 0) sessionStorage.setItem(kept(meeting), said.data.ticket);
}

/** Handles an address with a scanned code before anything else is loaded. */
export async function scanned({ pathname, search }: { pathname: string; search: string }): Promise<void> {
  const meeting = /^\/meet\/sign\/(\d+)\/?$/.exec(pathname)?.[1];
  const code = new URLSearchParams(search).get('c');
  if (meeting && code) await exchange(Number(meeting), code);
}
