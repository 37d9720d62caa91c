import type { Trip } from '../trips.ts';

/** The parameters that the browser brought back. */
export interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  ticket?: string | undefined;
  iss?: string | undefined;
}
/** The person identified by the provider. */
export interface Vouched {
  /** The provider and its permanent id of the person, which, unlike a number, never passes to somebody else. */
  issuer: string;
  subject: string;
  number: string;
  name: string;
}
/** One kind of single sign-on. Its functions throw `Away`, `NotVouched` and `ClocksApart`. */
export interface Provider {
  /** The address to send the browser to. */
  address(trip: Trip, callback: string): Promise<string>;
  vouch(returned: Returned, trip: Trip, callback: string): Promise<Vouched>;
  /** The address that signs the browser out there too and returns to `home`; null if the provider offers none. */
  leave(home: string): Promise<string | null>;
}
/** The configured connection, with its secret opened. */
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
