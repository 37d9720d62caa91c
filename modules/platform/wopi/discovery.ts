import type * as Xml from 'fast-xml-parser';
import { z } from 'zod';
import { whenNeeded } from '#kernel/server/process/when-needed.ts';
import { proofKey, type ProofKeys } from './proof.ts';

const xmlParser = whenNeeded<typeof Xml>('fast-xml-parser');

/** An editor server's description of itself. */
export interface Discovery {
  /** Addresses that open a kind of file, by `edit:docx` or `view:docx`. */
  actions: ReadonlyMap<string, string>;
  /** Null if it signs nothing. */
  keys: ProofKeys | null;
}

const attributes = z.record(z.string(), z.string());
const Found = z.object({
  'wopi-discovery': z.object({
    'net-zone': z
      .array(
        z.object({
          app: z.array(z.object({ action: z.array(attributes).default([]) })).default([]),
        }),
      )
      .default([]),
    'proof-key': attributes.optional(),
  }),
});
const lists = new Set(['net-zone', 'app', 'action']);

/**
 * Parses an editor's discovery document. Addresses that do not begin with `origin` are left out: the browser may only display and post to that
 * origin. Throws if it is no such document.
 */
export function readDiscovery(xml: string, origin: string): Discovery {
  const parser = new (xmlParser().XMLParser)({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    isArray: (name) => lists.has(name),
  });
  const found = Found.parse(parser.parse(xml))['wopi-discovery'];
  const actions = new Map<string, string>();
  for (const { name, ext, urlsrc } of found['net-zone'].flatMap((zone) => zone.app.flatMap((app) => app.action))) {
    const key = `${name}:${(ext ?? '').toLowerCase()}`;
    if (!ext || !urlsrc || actions.has(key) || !URL.canParse(urlsrc) || new URL(urlsrc).origin !== origin) continue;
    actions.set(key, urlsrc);
  }
  return { actions, keys: keysOf(found['proof-key'] ?? {}) };
}

function keysOf({ modulus = '', exponent = '', oldmodulus = '', oldexponent = '' }: Record<string, string>) {
  const current = proofKey(modulus, exponent);
  return current && { current, old: proofKey(oldmodulus, oldexponent) };
}

/** Fills the known `<name=VALUE&>` parts of an address, drops the others, and adds the file to open. */
export function openingAddress(urlsrc: string, source: string): string {
  const known: Readonly<Record<string, string>> = { UI_LLCC: 'zh-CN', DC_LLCC: 'zh-CN' };
  const filled = urlsrc.replace(/<(\w+)=(\w+)&?>/g, (_whole, name: string, value: string) =>
    known[value] ? `${name}=${known[value]}&` : '',
  );
  const joint = /[?&]$/.test(filled) ? '' : filled.includes('?') ? '&' : '?';
  return `${filled}${joint}WOPISrc=${encodeURIComponent(source)}`;
}
