import { openTestApp } from '#apps/server/testing.ts';
import { oidcClient, startOidcProvider } from './oidc.ts';
import { setUp } from './setup.ts';

/** An office with single sign-on, and its provider. */
export async function openOidcHouse() {
  const app = await openTestApp({ outgoingAllow: ['127.0.0.0/8'] });
  const provider = await startOidcProvider(app.url);
  const oidc = (url: string, more: object = {}) =>
    setUp(
      app,
      { sso_enabled: true, allow_register: false },
      {
        sso: {
          type: 'oidc',
          url,
          client_id: oidcClient.client_id,
          secret: oidcClient.client_secret,
          claim: '',
          match: '',
          ...more,
        },
      },
    );
  const close = async () => {
    await app.close();
    await provider.close();
  };
  return { app, provider, oidc, close };
}
