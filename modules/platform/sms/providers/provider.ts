/** A message in the form that providers need. */
export interface ProviderMessage {
  /** Sent with every try, so that a repeated one can be recognised. */
  key: string;
  /** Eleven digits. */
  mobile: string;
  sign: string;
  /** The provider's own number of the template. */
  template: string;
  /** Values of its placeholders, in order. */
  params: Readonly<Record<string, string>>;
}

export interface Receipt {
  delivered: boolean;
  /** Asia/Shanghai, `YYYY-MM-DD HH:mm:ss`; empty if the provider does not say. */
  at: string;
  answer: string;
}

export interface Provider {
  /** Returns the provider's id of the message. Throws `Refused`, or the network's error. */
  send(message: ProviderMessage): Promise<{ id: string; answer: string }>;
  /** The result of a message; null while unknown. `sent` in Asia/Shanghai, `YYYY-MM-DD HH:mm:ss`. Throws like `send`. */
  receipt(message: { id: string; mobile: string; sent: string }): Promise<Receipt | null>;
}

/** Characters that a provider accepts for one placeholder; Tencent has no limit for verified organisations. */
export const placeLimits: Readonly<Record<string, number>> = { aliyun: 35 };

export interface ProviderAccount {
  /** The provider's address; its public one by default. */
  url: string;
  key: string;
  secret: string;
  /** Id of the application, if the provider requires one. */
  app: string;
}

/** The provider refused; `hopeless` if this number will never receive this message. */
export class Refused extends Error {
  readonly hopeless: boolean;
  constructor(message: string, hopeless: boolean) {
    super(message);
    this.hopeless = hopeless;
  }
}

/** Parses a provider's reply; null if it is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
