import * as openid from 'openid-client';
import { awayIn, ClocksApart, fetchBy, NotVouched, type Ask } from './outside.ts';
import type { Connection, Provider, Returned, Vouched } from './provider.ts';

const discoveredMinutes = 10;
const claimsOf = (value: unknown) => (value ?? {}) as Record<string, unknown>;

/** OpenID Connect with discovery, state, nonce and PKCE; the ID token's signature, issuer and audience are checked. */
export function createOidc(connection: Connection, ask: Ask): Provider {
  const { url, client_id, claim } = connection;
  let found: { at: number; config: Promise<openid.Configuration> } | null = null;
  const discovered = () => {
    if (found && Date.now() - found.at < discoveredMinutes * 60_000) return found.config;
    const asked = openid.discovery(new URL(url), client_id, metadataOf(connection), authOf(connection), {
      [openid.customFetch]: fetchBy(ask),
      execute: [openid.enableNonRepudiationChecks, ...plainAllowed(url)],
    });
    const made = { at: Date.now(), config: explained(asked) };
    made.config.catch(() => found === made && (found = null));
    return (found = made).config;
  };
  return {
    async address(trip, callback) {
      const config = await discovered();
      return openid.buildAuthorizationUrl(config, {
        ...(await proofOf(trip, callback)),
        scope: 'openid profile',
        nonce: trip.secret('nonce'),
      }).href;
    },
    async vouch(returned, trip, callback) {
      const config = await discovered();
      const tokens = await explained(
        openid.authorizationCodeGrant(config, cameBack(callback, returned), {
          expectedState: trip.state,
          expectedNonce: trip.secret('nonce'),
          pkceCodeVerifier: trip.secret('verifier'),
          idTokenExpected: true,
        }),
      );
      const ownClaims = claimsOf(tokens.claims());
      const wanted = claim || 'sub';
      const more =
        wanted in ownClaims && 'name' in ownClaims
          ? {}
          : config.serverMetadata().userinfo_endpoint
            ? claimsOf(await explained(openid.fetchUserInfo(config, tokens.access_token, String(ownClaims['sub']))))
            : {};
      const iat = Number(ownClaims['iat']);
      if (iat > Date.now() / 1000 + borneSeconds) throw new ClocksApart(`issued at ${iat}, which is to come`);
      return vouched({ ...more, ...ownClaims }, wanted, String(ownClaims['iss']));
    },
    async leave(home) {
      const config = await discovered();
      if (!config.serverMetadata().end_session_endpoint) return null;
      return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: home }).href;
    },
  };
}

/** OAuth 2.0 without discovery: the user information address identifies the person. */
export function createOauth2(connection: Connection, ask: Ask): Provider {
  const { authorize_url, token_url, userinfo_url, client_id, claim } = connection;
  const issuer = new URL(authorize_url).origin;
  const server = { issuer, authorization_endpoint: authorize_url, token_endpoint: token_url };
  const config = new openid.Configuration(server, client_id, metadataOf(connection), authOf(connection));
  config[openid.customFetch] = fetchBy(ask);
  for (const allow of plainAllowed(token_url, userinfo_url)) allow(config);
  return {
    address: async (trip, callback) => openid.buildAuthorizationUrl(config, await proofOf(trip, callback)).href,
    async vouch({ code, state }, trip, callback) {
      const tokens = await explained(
        openid.authorizationCodeGrant(config, cameBack(callback, { code, state }), {
          expectedState: trip.state,
          pkceCodeVerifier: trip.secret('verifier'),
        }),
      );
      const asked = openid.fetchProtectedResource(config, tokens.access_token, new URL(userinfo_url), 'GET');
      return vouched(claimsOf(await explained(asked.then((answer) => answer.json()))), claim, issuer);
    },
    leave: async () => null,
  };
}

async function proofOf(trip: { state: string; secret(purpose: 'verifier'): string }, callback: string) {
  return {
    redirect_uri: callback,
    state: trip.state,
    code_challenge: await openid.calculatePKCECodeChallenge(trip.secret('verifier')),
    code_challenge_method: 'S256',
  };
}

function cameBack(callback: string, { code, state, iss }: Returned): URL {
  const url = new URL(callback);
  for (const [name, value] of Object.entries({ code, state, iss })) if (value) url.searchParams.set(name, value);
  return url;
}

function vouched(claims: Record<string, unknown>, claim: string, issuer: string): Vouched {
  const value = claims[claim];
  const number = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (!number.trim()) throw new NotVouched(`no claim “${claim}”`);
  const name = claims['name'];
  // Without an ID token a server may return only the number.
  const subject = typeof claims['sub'] === 'string' && claims['sub'] ? claims['sub'] : number;
  return { issuer, subject, number, name: typeof name === 'string' && name ? name : number };
}

/** Tolerated difference between the clocks of provider and server. */
const borneSeconds = 60;
const metadataOf = ({ secret }: Connection): Partial<openid.ClientMetadata> => ({
  ...(secret ? { client_secret: secret } : {}),
  [openid.clockTolerance]: borneSeconds,
});

/** The secret is sent in the header, by the standard, unless the provider only accepts it in the body. */
function authOf({ secret }: Connection): openid.ClientAuth {
  if (!secret) return openid.None();
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (taken.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

/** An http address was entered by an administrator for an internal server; only then plain http is allowed. */
const plainAllowed = (...urls: string[]) =>
  urls.some((url) => url.startsWith('http:')) ? [openid.allowInsecureRequests] : [];

/** An unreachable provider is reported as such; any other fault of a reply means that nobody is identified. */
async function explained<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: unknown };
    const reason = cause instanceof Error ? cause.message : '';
    const Failed = code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? ClocksApart : NotVouched;
    throw awayIn(error) ?? new Failed(`${(error as Error).message} ${code ?? ''} ${reason}`, { cause: error });
  }
}
