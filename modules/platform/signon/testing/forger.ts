import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { listen } from './listen.ts';

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, key: KeyObject): string {
  const text = `${base64({ alg: 'RS256', kid: 'one', typ: 'JWT' })}.${base64(claims)}`;
  return `${text}.${createSign('sha256').update(text).sign(key, 'base64url')}`;
}

/** A provider that answers every code with a given ID token: `foreign` signs with another key, `plain` is OAuth 2.0 without an ID token. */
export async function startForger() {
  const own = pair();
  const strange = pair();
  const wanted = { claims: {} as object, foreign: false, plain: false, userNo: '' };
  const server = await listen((request, response) => {
    const issuer = `http://${request.headers.host}`;
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: issuer, aud: 'gongdan', sub: 'victim', name: '甲', iat: now, exp: now + 60 };
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      }),
      '/jwks': () => ({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }),
      '/userinfo': () => (request.headers.authorization === 'Bearer a' ? { userNo: wanted.userNo, name: '乙' } : {}),
      '/token': () => ({
        access_token: 'a',
        token_type: 'Bearer',
        id_token: wanted.plain
          ? undefined
          : signed({ ...good, ...wanted.claims }, wanted.foreign ? strange.privateKey : own.privateKey),
      }),
    };
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  return { ...server, wanted };
}
