import type { FetchBody } from 'openid-client';
import { NotAllowed, Unanswered, type Answer, type Asked, type Outgoing } from '#kernel/server/outside/outgoing.ts';

/** A provider cannot be reached or has a fault: nothing that the person can correct. */
export class Away extends Error {}
/** A provider replied, but identified nobody. */
export class NotVouched extends Error {}

/** The provider's clock differs from ours. */
export class ClocksApart extends NotVouched {}

export type Ask = (url: string, asked?: Asked) => Promise<Answer>;

/** Requests a provider through the guarded client; a person waits at most five seconds for one reply. */
export function askBy(outgoing: Pick<Outgoing, 'request'>): Ask {
  return async (url, asked) => {
    const answer = await outgoing.request(url, { seconds: 5, ...asked }).catch((error: unknown) => {
      if (error instanceof NotAllowed || error instanceof Unanswered) throw new Away(error.message, { cause: error });
      throw error;
    });
    if (answer.status >= 500) throw new Away(`${new URL(url).host} answered ${answer.status}`);
    return answer;
  };
}

/** The guarded client with the interface of `fetch`, for libraries that need one; redirects are not followed. */
export function fetchBy(ask: Ask): (url: string, init: FetchInit) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const answer = await ask(url, {
      method: method as Asked['method'],
      headers: Object.fromEntries(new Headers(headers)),
      redirects: 0,
      ...(body == null ? {} : { body: await new Response(body as BodyInit).text() }),
    });
    const kept = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const one of [value ?? []].flat()) kept.append(name, one);
    const empty = answer.status === 204 || answer.status === 304;
    return new Response(empty ? null : new Uint8Array(answer.body), { status: answer.status, headers: kept });
  };
}

interface FetchInit {
  method?: string | undefined;
  headers?: HeadersInit | undefined;
  body?: FetchBody | undefined;
}

/** The innermost cause that a library wrapped. */
export function awayIn(error: unknown): Away | null {
  for (let at = error; at instanceof Error; at = at.cause as unknown) if (at instanceof Away) return at;
  return null;
}
