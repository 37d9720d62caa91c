import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export interface TestProvider {
  url: string;
  /** The person signed in there. */
  person: { sub: string; name: string };
  close(): Promise<void>;
}

export const oidcClient = { client_id: 'gongdan', client_secret: 'a secret between the two' };

/** A complete OpenID Connect provider at which everybody is already signed in as `person`. */
export async function startOidcProvider(home: string): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const told: TestProvider = {
    url,
    person: { sub: 'nobody', name: '' },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  const provider = new Provider(url, {
    clients: [
      {
        ...oidcClient,
        redirect_uris: [`${home}/auth-redirect`],
        post_logout_redirect_uris: [`${home}/login`],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'staff_no'] },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: told.person.name, staff_no: `no.${id}` }),
    }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client!.clientId,
        accountId: ctx.oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
    void provider.interactionFinished(request, response, { login: { accountId: told.person.sub, remember: false } });
  });
  return told;
}
