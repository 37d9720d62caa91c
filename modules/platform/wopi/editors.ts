import type { Logger } from 'pino';
import { pathOf } from '#kernel/contract/call.ts';
import type { Wire } from '#kernel/server/http/implement.ts';
import { Unanswered, type Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { wopi } from './contract.ts';
import { openingAddress, readDiscovery, type Discovery } from './discovery.ts';
import { isProven } from './proof.ts';

/** The server that edits files, as configured in the interface settings. */
export interface Editors {
  /** Origin of the editor's pages; null if none is configured. */
  origin(): Promise<string | null>;
  /** Address that opens a file for editing or viewing; `null` with the reason in words for people. */
  opening(file: { id: number; ext: string }, write: boolean): Promise<{ url: string | null; why: string }>;
  /** Returns whether the request comes from the editor's server, if it signs its requests. */
  proves(token: string, wire: Wire, now: Date): Promise<boolean>;
}

export interface EditorServices {
  settings: Pick<Settings, 'get'>;
  outgoing: Outgoing;
  publicUrl(): string | null;
  log: Logger;
}

const keptMinutes = 12 * 60;
const failedSeconds = 30;
const rereadSeconds = 60;

/** Fetches an editor server's capabilities. Throws if the reply is not valid. */
export async function discover(outgoing: Pick<Outgoing, 'request'>, url: string): Promise<Discovery> {
  const asked = new URL('/hosting/discovery', url).href;
  const { status, body } = await outgoing.request(asked);
  if (status !== 200) throw new Unanswered(`${asked} 的应答是 ${status}`);
  try {
    return readDiscovery(body.toString('utf8'), new URL(url).origin);
  } catch (error) {
    throw new Unanswered(`${asked} 的内容不是在线编辑服务的说明`, { cause: error });
  }
}

export function createEditors({ settings, outgoing, publicUrl, log }: EditorServices): Editors {
  let known: { url: string; found: Promise<Discovery | null>; at: number; until: number } | null = null;

  const address = async () => (await settings.get('interface'))['wopi']?.['url'] || null;

  const look = async (url: string): Promise<Discovery | null> => {
    try {
      return await discover(outgoing, url);
    } catch (error) {
      log.warn({ err: error }, 'editor not found');
      return null;
    }
  };

  const discovered = async (url: string, anew = false): Promise<Discovery | null> => {
    const now = Date.now();
    const fits = known && known.url === url && known.until > now;
    if (known && fits && !(anew && now - known.at > rereadSeconds * 1000)) return known.found;
    const found = look(url);
    const entry = { url, found, at: now, until: now + keptMinutes * 60_000 };
    known = entry;
    if ((await found) === null) entry.until = now + failedSeconds * 1000;
    return found;
  };

  return {
    async origin() {
      const url = await address();
      return url && new URL(url).origin;
    },

    async opening({ id, ext }, write) {
      const [url, house] = [await address(), publicUrl()];
      if (!url) return { url: null, why: '' };
      if (!house) return { url: null, why: '系统对外地址尚未设置，暂不能在线打开，请联系管理员' };
      const found = await discovered(url);
      if (!found) return { url: null, why: '在线编辑服务暂时无法连接，请稍后再试，或下载后编辑' };
      const action = (write && found.actions.get(`edit:${ext}`)) || found.actions.get(`view:${ext}`);
      if (!action) return { url: null, why: `在线编辑服务不能打开 ${ext} 文件，请下载后查看` };
      return { url: openingAddress(action, `${house}${sourceOf(id)}`), why: '' };
    },

    async proves(token, wire, now) {
      const url = await address();
      if (!url) return false;
      const signed = {
        token,
        url: `${publicUrl() ?? ''}${wire.url}`,
        time: wire.header('x-wopi-timestamp'),
        proof: wire.header('x-wopi-proof'),
        proofOld: wire.header('x-wopi-proofold'),
      };
      for (const anew of [false, true]) {
        const found = await discovered(url, anew);
        // An editor that signs nothing is trusted; a signature from one without known keys means that it has keys by now.
        const unsigned = found !== null && !found.keys && (anew || signed.proof === undefined);
        if (unsigned || (found?.keys && isProven(found.keys, signed, now))) return true;
      }
      return false;
    },
  };
}

/** The protocol names a file without a trailing slash. */
const sourceOf = (id: number) => pathOf(wopi.checkFileInfo, { id }).replace(/\/$/, '');
