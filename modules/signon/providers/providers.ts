import type { Interfaces } from '#modules/settings/contract/interfaces.ts';
import type { NumberIn } from '#modules/people/service/outside.ts';
import { createCas } from './cas.ts';
import { createOauth2, createOidc } from './oidc.ts';
import type { Ask } from './outside.ts';
import type { Connection, Provider } from './provider.ts';

const makers: Record<string, (connection: Connection, ask: Ask) => Provider> = {
  oidc: createOidc,
  oauth2: createOauth2,
  cas: createCas,
};

/** The provider the settings name; made anew only when they change, for it remembers what it discovered. */
export function createProviders(ask: Ask, open: (sealed: string) => string) {
  let known: { of: string; provider: Provider } | null = null;
  return (interfaces: Interfaces): { provider: Provider; match: NumberIn } | null => {
    const kept = interfaces['sso'] ?? {};
    const make = makers[kept['type'] ?? ''];
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
