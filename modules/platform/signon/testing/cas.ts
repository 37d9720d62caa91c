import { randomBytes } from 'node:crypto';
import { listen } from './listen.ts';

const escaped = (text: string) => text.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
const page = (inner: string) =>
  `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${inner}</cas:serviceResponse>`;

/** A CAS server at which everybody is signed in as `person`. `version` 2 has neither the newer address nor attributes. */
export async function startCas() {
  const person = { user: 'nobody', attributes: {} as Record<string, string>, version: 3, hostile: '' };
  const tickets = new Map<string, string>();
  const server = await listen((request, response) => {
    const url = new URL(request.url ?? '/', 'http://cas');
    const service = url.searchParams.get('service') ?? '';
    if (url.pathname === '/cas/login') {
      const ticket = `ST-${randomBytes(16).toString('hex')}`;
      tickets.set(ticket, service);
      const back = new URL(service);
      back.searchParams.set('ticket', ticket);
      return void response.writeHead(302, { location: back.href }).end();
    }
    const newer = url.pathname === '/cas/p3/serviceValidate';
    if (!(newer && person.version === 3) && url.pathname !== '/cas/serviceValidate')
      return void response.writeHead(404).end('not here');
    const ticket = url.searchParams.get('ticket') ?? '';
    const fits = tickets.get(ticket) === service;
    tickets.delete(ticket);
    const attributes = Object.entries(newer ? person.attributes : {}).map(
      ([name, value]) => `<cas:${name}>${escaped(value)}</cas:${name}>`,
    );
    const success = `<cas:authenticationSuccess><cas:user>${escaped(person.user)}</cas:user>
      <cas:attributes>${attributes.join('')}</cas:attributes></cas:authenticationSuccess>`;
    const failure = '<cas:authenticationFailure code="INVALID_TICKET">no</cas:authenticationFailure>';
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(person.hostile || page(fits ? success : failure));
  });
  return { ...server, url: `${server.url}/cas`, person };
}
