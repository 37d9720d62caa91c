import type { Chance } from '#kernel/server/process/chance.ts';

/** People of the demonstration, by their part in this run's tickets. */
export const cast = {
  clerk: 'qin.haoyu',
  head: 'song.mingjie',
  deputy: 'tian.xiaoyu',
  second: 'kong.lingwei',
  leader: 'liu.hanlin',
  finance: 'dong.haoran',
  worker: 'jia.shunli',
  librarian: 'sun.jiahui',
  admin: 'admin',
} as const;
export type Who = keyof typeof cast;

export interface Answer {
  code: number;
  msg: string;
  data: unknown;
}
/** Sends a call as one person. Throws `NoAnswer` if none came, or only that none is possible now. */
export type Ask = (who: Who, method: string, path: string, body?: object, key?: string) => Promise<Answer>;

/** It is unknown whether the call took effect. */
export class NoAnswer extends Error {}

/** Signs in everybody once: their sessions must survive every crash. */
export async function signIn(origin: string, password: string): Promise<{ ask: Ask; passOf: (who: Who) => string }> {
  const headers = { 'content-type': 'application/json' };
  const passes = new Map<string, string>();
  for (const [who, username] of Object.entries(cast)) {
    const body = JSON.stringify({ username, password });
    const reply = await fetch(`${origin}/api/accounts/login/`, { method: 'POST', headers, body });
    const { code, msg, data } = (await reply.json()) as Answer;
    if (code !== 0) throw new Error(`${username} 没有登录：${msg}`);
    passes.set(who, (data as { jwt: string }).jwt);
  }
  const ask: Ask = async (who, method, path, asked, key) => {
    try {
      const reply = await fetch(origin + path, {
        method,
        headers: {
          ...(asked ? headers : {}),
          authorization: `JWT ${passes.get(who)}`,
          ...(key ? { 'idempotency-key': key } : {}),
        },
        ...(asked ? { body: JSON.stringify(asked) } : {}),
      });
      if (reply.status >= 500) throw new NoAnswer(`HTTP ${reply.status}`);
      return (await reply.json()) as Answer;
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(String(error));
    }
  };
  return { ask, passOf: (who) => passes.get(who)! };
}

/** A unique name from the seed's own random letters. */
export function keyOf(chance: Chance, seed: number): string {
  const letter = () => String.fromCharCode(97 + chance.between(0, 25));
  return `crash-${seed}-${Array.from({ length: 16 }, letter).join('')}`;
}
