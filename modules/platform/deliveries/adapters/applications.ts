import { eq } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Answer, Asked } from '#kernel/server/outside/outgoing.ts';
import { deliveryTable } from '../tables.ts';
import { Undeliverable, underWay, type ChannelAdapter } from '../service.ts';
import { applications, Turned, type Application, type Shown } from './application-kinds.ts';
import type { AdapterPorts } from './hook.ts';

/** Body of a payload for one person, from an application of a platform; its target is the person's name there. */
export interface AppBody {
  text: string;
  /** Path of our page, beginning with `/`. */
  path?: string;
  /** Buttons that decide nothing when opened; `{sign}` in their paths stands for the keyed hash of `signs`. */
  choices?: readonly { title: string; path: string }[];
  signs?: string;
  app: Application;
  /** The application's secret, sealed. */
  secret: string;
  /** The delivery whose card this updates, because nothing can be decided there any more. */
  replaces?: number;
}

interface AppPorts extends AdapterPorts {
  databases: Pick<Databases, 'fresh'>;
  /** The public origin, without a trailing slash. */
  publicUrl(): string | null;
}

/** Seconds before its end at which a token is renewed. */
const early = 300;

/** An adapter for a platform's application, which writes to one person at a time and updates its cards if the platform allows it. */
export function applicationAdapter(
  kind: keyof typeof applications,
  { outgoing, secretBox, databases, publicUrl, now = () => new Date() }: AppPorts,
): ChannelAdapter {
  const service = applications[kind];
  const tokens = new Map<string, { token: string; until: number }>();

  async function ask(url: string, asked?: Asked): Promise<Record<string, unknown>> {
    const answer = await outgoing.request(url, { redirects: 0, ...asked });
    return read(answer);
  }

  async function tokenOf(app: Application, secret: string, anew: boolean): Promise<string> {
    const key = secretBox.keyedHash(`${app.url} ${app.id} ${secret}`);
    const kept = tokens.get(key);
    if (kept && !anew && kept.until > now().getTime()) return kept.token;
    const { token, seconds } = await service.token(ask, app, secret);
    tokens.set(key, { token, until: now().getTime() + Math.max(0, seconds - early) * 1000 });
    return token;
  }

  /** Retries once with a new token if the platform says that this one is expired. */
  async function withToken<T>(app: Application, secret: string, work: (token: string) => Promise<T>): Promise<T> {
    try {
      return await work(await tokenOf(app, secret, false));
    } catch (error) {
      if (!(error instanceof Turned) || !service.stale.includes(error.code)) throw error;
      return work(await tokenOf(app, secret, true));
    }
  }

  /** The reference by which a card can be updated; null if it never arrived. Throws while it may still be under way. */
  async function referenceOf(id: number): Promise<string | null> {
    const { state, provider_id: reference } = deliveryTable;
    const [row] = await databases.fresh
      .select({ state, reference })
      .from(deliveryTable)
      .where(eq(deliveryTable.id, id));
    if (row?.state === 'sent') return row.reference;
    const ended = !row || row.state === 'given_up' || row.state === 'cancelled';
    if (ended && (await underWay(databases.fresh, [id])).size === 0) return null;
    throw new Error('原卡片还在投递，稍后再更新');
  }

  return {
    async send({ key, target: user, title, body }) {
      const { text, path, choices = [], signs = '', app, secret: sealed, replaces } = body as AppBody;
      const origin = publicUrl();
      const link = (to: string) => origin + to.replace('{sign}', secretBox.keyedHash(signs));
      const shown: Shown = {
        title,
        text,
        link: path && origin ? link(path) : null,
        choices: origin ? choices.map((one) => ({ title: one.title, url: link(one.path) })) : [],
        over: replaces !== undefined,
      };
      const secret = secretBox.open(sealed);
      const addressed = { user, key: secretBox.keyedHash(key).slice(0, 48), app };
      try {
        if (replaces === undefined) {
          const providerId = await withToken(app, secret, (token) => service.send(ask, token, addressed, shown));
          return { providerId, answer: 'ok' };
        }
        const reference = await referenceOf(replaces);
        if (!reference) return { answer: '原卡片没有送达，无需更新' };
        await withToken(app, secret, (token) => service.putRight(ask, token, { ...addressed, reference }, shown));
        return { answer: '卡片已更新' };
      } catch (error) {
        if (error instanceof Turned && service.final.includes(error.code)) throw new Undeliverable(error.message);
        throw error;
      }
    },
  };
}

/** Parses a platform's reply; throws `Turned` unless it is a success. */
function read({ status, body }: Answer): Record<string, unknown> {
  let said: Record<string, unknown>;
  try {
    said = JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    throw new Error(`对方回答 ${status}`);
  }
  const code = said['errcode'] ?? said['code'];
  if (code === 0) return said;
  const words = String(said['errmsg'] ?? said['msg'] ?? '');
  throw new Turned(
    typeof code === 'number' ? code : status,
    `对方回答 ${status} ${String(code ?? '')} ${words}`.trim(),
  );
}
