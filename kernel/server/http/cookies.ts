/** The cookies of a request and those its answer sets. Names are given without a prefix; the one that fits the site is added here. */
export interface Cookies {
  get(name: string): string | undefined;
  /** The browser keeps the cookie for so many seconds, out of reach of scripts; 0 seconds deletes it. The value is base64url. */
  set(name: string, value: string, seconds: number): void;
}
export interface CookieJar extends Cookies {
  /** Set-Cookie lines of the answer. */
  readonly lines: readonly string[];
}

/** Reads the Cookie header. On an https site names carry `__Host-`, so that no neighbouring site can plant one. */
export function openJar(header: string | undefined, https: boolean): CookieJar {
  const lines: string[] = [];
  const nameOf = (name: string) => (https ? `__Host-${name}` : name);
  const sent = new Map(
    (header ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const;
    }),
  );
  return {
    lines,
    get: (name) => sent.get(nameOf(name)),
    set(name, value, seconds) {
      const secure = https ? '; Secure' : '';
      lines.push(`${nameOf(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
    },
  };
}
