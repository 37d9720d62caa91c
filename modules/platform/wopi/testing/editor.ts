import type { Client } from '#apps/server/testing.ts';

export interface Answered {
  status: number;
  lock: string | null;
  version: string | null;
  header(name: string): string | null;
  text: string;
  json(): Record<string, unknown>;
}

/** A name in the protocol's header encoding. */
const toUtf7 = (text: string) =>
  text.replace(/\+/g, '+-').replace(/[^\x20-\x7e]+/g, (part) => {
    const bytes = Buffer.from(part, 'utf16le').swap16();
    return `+${bytes.toString('base64').replace(/=+$/, '')}-`;
  });

/** An editor by the protocol: it only knows the address of a file and a token. */
export function openEditor(house: string, fileId: number, token: string) {
  const elsewhere = async (
    method: 'GET' | 'POST',
    path: string,
    headers: Record<string, string> = {},
    body?: BodyInit,
  ): Promise<Answered> => {
    const query = `access_token=${encodeURIComponent(token)}`;
    const answer = await fetch(`${house}${path}?${query}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      lock: answer.headers.get('x-wopi-lock'),
      version: answer.headers.get('x-wopi-itemversion'),
      header: (name: string) => answer.headers.get(name),
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    };
  };
  const ask = (method: 'GET' | 'POST', part: string, headers?: Record<string, string>, body?: BodyInit) =>
    elsewhere(method, `/api/wopi/files/${fileId}${part}`, headers, body);
  const named = (override: string, headers: Record<string, string>, body?: BodyInit) =>
    ask('POST', '', { 'x-wopi-override': override, ...headers }, body);
  const operate = (override: string, lock?: string, more: Record<string, string> = {}) =>
    ask('POST', '', { 'x-wopi-override': override, ...(lock === undefined ? {} : { 'x-wopi-lock': lock }), ...more });
  return {
    info: () => ask('GET', ''),
    get: (headers?: Record<string, string>) => ask('GET', '/contents', headers),
    put: (body: BodyInit, lock?: string, type = 'application/octet-stream', more: Record<string, string> = {}) =>
      ask(
        'POST',
        '/contents',
        {
          'x-wopi-override': 'PUT',
          'content-type': type,
          ...(lock === undefined ? {} : { 'x-wopi-lock': lock }),
          ...more,
        },
        body,
      ),
    operate,
    /** A part of the file's address, and any other address of the protocol. */
    at: ask,
    elsewhere,
    rename: (name: string, lock?: string) =>
      named('RENAME_FILE', {
        'x-wopi-requestedname': toUtf7(name),
        ...(lock === undefined ? {} : { 'x-wopi-lock': lock }),
      }),
    putRelative: (body: BodyInit, target: { suggested?: string; exact?: string; over?: boolean }) =>
      named(
        'PUT_RELATIVE',
        {
          ...(target.suggested === undefined ? {} : { 'x-wopi-suggestedtarget': toUtf7(target.suggested) }),
          ...(target.exact === undefined ? {} : { 'x-wopi-relativetarget': toUtf7(target.exact) }),
          ...(target.over === undefined ? {} : { 'x-wopi-overwriterelativetarget': String(target.over) }),
        },
        body,
      ),
    lock: (lock: string, old?: string) => operate('LOCK', lock, old === undefined ? {} : { 'x-wopi-oldlock': old }),
    getLock: () => operate('GET_LOCK'),
    refresh: (lock: string) => operate('REFRESH_LOCK', lock),
    unlock: (lock: string) => operate('UNLOCK', lock),
  };
}
export type Editor = ReturnType<typeof openEditor>;

/** Uploads a file for a document record; returns its id. */
export async function send(who: Client, content: string | Uint8Array, name = '正文.txt'): Promise<number> {
  const form = new FormData();
  form.set('module', 'documents');
  form.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  const answer = await (await who.fetch('/api/file/upload/', { method: 'POST', body: form })).json();
  const { code, msg, data } = answer as { code: number; msg: string; data: { id: number } };
  if (code !== 0) throw new Error(msg);
  return data.id;
}
