export interface Envelope {
  code: number;
  msg: string;
  data: Record<string, unknown>;
}

/** A browser for sign-in tests: stores cookies by origin and follows redirects until it is back at `home`. */
export interface Browser {
  /** The envelope of one of our calls. */
  ask(path: string, init?: RequestInit): Promise<Envelope>;
  /** Visits an external address; returns the query with which it comes home. */
  travel(address: string): Promise<URLSearchParams>;
  cookies: Map<string, Map<string, string>>;
}

export function openBrowser(home: string): Browser {
  const cookies: Browser['cookies'] = new Map();
  const go = async (address: string, init: RequestInit = {}) => {
    const { origin } = new URL(address);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(cookie ? { cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return response;
  };
  return {
    cookies,
    ask: async (path, init) => (await (await go(home + path, init)).json()) as Envelope,
    async travel(address) {
      for (let left = 10; left > 0; left--) {
        const to = (await go(address)).headers.get('location');
        if (!to) break;
        address = new URL(to, address).href;
        if (address.startsWith(`${home}/auth-redirect`)) return new URL(address).searchParams;
      }
      throw new Error(`never came home, stopped at ${address}`);
    },
  };
}
