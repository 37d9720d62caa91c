import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to the simulated platform. */
export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
export interface House {
  url: string;
  asked: Asked[];
  /** Cards that were delivered, and requests that updated them. */
  cards(): Asked[];
  updates(): Asked[];
  close(): void;
}

const cardPaths = [
  '/cgi-bin/message/send',
  '/topapi/message/corpconversation/asyncsend_v2',
  '/open-apis/im/v1/messages',
];
const isUpdate = ({ path, method }: Asked) =>
  path.startsWith('/cgi-bin/message/update_template_card') ||
  path.startsWith('/topapi/message/corpconversation/recall') ||
  method === 'PATCH';

/** Simulates the three platforms of applications, as their public interfaces answer. */
export async function openHouse(): Promise<House> {
  const asked: Asked[] = [];
  let serial = 0;
  const answers: Record<string, () => object> = {
    '/cgi-bin/gettoken': () => ({ errcode: 0, errmsg: 'ok', access_token: 'T', expires_in: 7200 }),
    '/gettoken': () => ({ errcode: 0, errmsg: 'ok', access_token: 'T', expires_in: 7200 }),
    '/open-apis/auth/v3/tenant_access_token/internal': () => ({ code: 0, tenant_access_token: 'T', expire: 7200 }),
    '/cgi-bin/message/send': () => ({ errcode: 0, errmsg: 'ok', msgid: `m${++serial}`, response_code: `r${serial}` }),
    '/topapi/message/corpconversation/asyncsend_v2': () => ({ errcode: 0, errmsg: 'ok', task_id: ++serial }),
    '/open-apis/im/v1/messages': () => ({ code: 0, msg: 'success', data: { message_id: `om_${++serial}` } }),
  };
  const server = createServer(async (request, response) => {
    const path = request.url!;
    const said = await text(request);
    const body = said === '' ? {} : (JSON.parse(said) as Record<string, unknown>);
    asked.push({ method: request.method!, path, headers: request.headers, body });
    const answer = answers[path.split('?')[0]!]?.() ?? { errcode: 0, code: 0, errmsg: 'ok' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    cards: () => asked.filter((one) => one.method === 'POST' && cardPaths.includes(one.path.split('?')[0]!)),
    updates: () => asked.filter(isUpdate),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Button {
  text: { content: string };
  url: string;
}
/** The buttons of a Feishu card, by name. */
export function buttonsOf({ body }: Asked): Record<string, string> {
  const card = JSON.parse(String(body['content'])) as { elements: { tag: string; actions?: Button[] }[] };
  const buttons = card.elements.flatMap((element) => element.actions ?? []);
  return Object.fromEntries(buttons.map((button) => [button.text.content, button.url]));
}
