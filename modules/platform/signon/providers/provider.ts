import type { Trip } from '../trips.ts';

/** What the browser brought back. */
export interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  ticket?: string | undefined;
  iss?: string | undefined;
}
/** Whom the provider vouches for. */
export interface Vouched {
  /** Who says it, and what they know the person by: this never becomes somebody else's, as a number may. */
  issuer: string;
  subject: string;
  number: string;
  name: string;
}
/** One way of single sign-on. Its functions throw `Away`, `NotVouched` and `ClocksApart`. */
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
