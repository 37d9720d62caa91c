import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { proven, ticksAt } from '../proof.ts';

export const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const partsOf = (key: KeyObject) => {
  const { n = '', e = '' } = key.export({ format: 'jwk' });
  const plain = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  return [plain(n), plain(e)] as const;
};

/** Simulates an editor's server: its file types and signing keys. */
export async function openDiscovery() {
  const told = { asked: 0, keys: '', down: false };
  const server = createServer((request, response) => {
    told.asked += 1;
    if (told.down || request.url !== '/hosting/discovery') return void response.writeHead(503).end();
    response.setHeader('content-type', 'text/xml');
    response.end(`<?xml version="1.0" encoding="utf-8"?><wopi-discovery><net-zone name="external-http">
      <app name="Word" favIconUrl="${url}/word.ico">
        <action name="view" ext="txt" urlsrc="${url}/view?&lt;ui=UI_LLCC&amp;&gt;&lt;thm=THEME_ID&amp;&gt;"/>
        <action name="edit" ext="txt" default="true" urlsrc="${url}/edit/cool.html?"/>
        <action name="edit" ext="docx" urlsrc="${url}/edit/cool.html?"/>
        <action name="view" ext="csv" urlsrc="${url}/sheet?mode=view"/>
        <action name="view" ext="ofd" urlsrc="${url}/text?"/>
        <action name="edit" ext="csv" urlsrc="https://elsewhere.example/edit?"/>
      </app></net-zone>${told.keys}</wopi-discovery>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    told,
    useKeys(current: KeyObject, old: KeyObject) {
      const [[n, e], [oldN, oldE]] = [partsOf(current), partsOf(old)];
      told.keys = `<proof-key value="x" modulus="${n}" exponent="${e}" oldvalue="x" oldmodulus="${oldN}" oldexponent="${oldE}"/>`;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The headers that sign an editor's request. */
export function proofHeaders(
  { token, url }: { token: string; url: string },
  keys: { current: KeyObject; old: KeyObject },
  at = new Date(),
): Record<string, string> {
  const by = (key: KeyObject) => sign('sha256', proven({ token, url }, ticksAt(at)), key).toString('base64');
  return { 'x-wopi-timestamp': String(ticksAt(at)), 'x-wopi-proof': by(keys.current), 'x-wopi-proofold': by(keys.old) };
}

/** Configures an editor, or none, in an office that may reach this machine (`outgoingAllow`). */
export async function setEditor({ admin, services }: TestOffice, url: string): Promise<void> {
  await admin.get(settings.saveInterfaces, { body: { wopi: { url } } as object });
  const named = async () => (await services.settings.get('interface'))['wopi']?.['url'];
  await eventually(async () => expect(await named()).toBe(url));
}
