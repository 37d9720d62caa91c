import type { Interfaces } from '#modules/settings/contract/interfaces.ts';
import type { NumberIn } from '#modules/people/service/outside.ts';
import { createCas } from './cas.ts';
import { createOauth2, createOidc } from './oidc.ts';
import type { Ask } from './outside.ts';
import type { Trip } from './trips.ts';

/** What the browser brought back. */
export interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  ticket?: string | undefined;
  iss?: string | undefined;
}
/** Whom the provider vouches for. */
export interface Vouched {
  number: string;
  name: string;
}
/** One way of single sign-on. Its functions throw `Away` and `NotVouched`. */
export interface Provider {
  /** Where to send the browser. */
  address(trip: Trip, callback: string): Promise<string>;
  vouch(returned: Returned, trip: Trip, callback: string): Promise<Vouched>;
  /** Where to send the browser to sign out there too, and back to `home`; null where the provider offers nothing. */
  leave(home: string): Promise<string | null>;
}
/** The connection as it is set up, its secret opened. */
export interface Connection {
  type: string;
  url: string;
  client_id: string;
  secret: string;
  authorize_url: string;
  token_url: string;
  userinfo_url: string;
  claim: string;
}

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
