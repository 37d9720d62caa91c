import type { Interfaces } from '#modules/platform/settings/contract/interfaces.ts';
import type { NumberIn } from '#modules/platform/people/service/outside.ts';
import type { Ask } from './outside.ts';
import type { Connection, Provider } from './provider.ts';

/** The code of a protocol is loaded only when it has been chosen. */
const makers: Record<string, () => Promise<(connection: Connection, ask: Ask) => Provider>> = {
  oidc: async () => (await import('./oidc.ts')).createOidc,
  oauth2: async () => (await import('./oidc.ts')).createOauth2,
  cas: async () => (await import('./cas.ts')).createCas,
};

/** The configured provider; recreated only when the settings change, because it caches its discovery. */
export function createProviders(ask: Ask, open: (sealed: string) => string) {
  let known: { of: string; provider: Provider } | null = null;
  return async (interfaces: Interfaces): Promise<{ provider: Provider; match: NumberIn } | null> => {
    const kept = interfaces['sso'] ?? {};
    const make = await makers[kept['type'] ?? '']?.();
    if (!make) return null;
    const of = JSON.stringify(kept);
    if (known?.of !== of) known = { of, provider: make(connectionOf(kept, open), ask) };
    return { provider: known.provider, match: kept['match'] === 'employ_no' ? 'employ_no' : 'username' };
  };
}

function connectionOf(kept: Record<string, string>, open: (sealed: string) => string): Connection {
  const text = (field: string) => kept[field] ?? '';
  return {
    type: text('type'),
    url: text('url').replace(/\/+$/, ''),
    client_id: text('client_id'),
    secret: kept['secret'] ? open(kept['secret']) : '',
    authorize_url: text('authorize_url'),
    token_url: text('token_url'),
    userinfo_url: text('userinfo_url'),
    claim: text('claim'),
  };
}
