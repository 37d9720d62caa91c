/** One message as a provider takes it. */
export interface ProviderMessage {
  /** Told with every try, so that a repeated one can be known. */
  key: string;
  /** Eleven digits. */
  mobile: string;
  sign: string;
  /** The provider's own number of the template. */
  template: string;
  /** Values of its places, in their order. */
  params: Readonly<Record<string, string>>;
}

export interface Receipt {
  delivered: boolean;
  /** Asia/Shanghai, `YYYY-MM-DD HH:mm:ss`; empty where the provider does not say. */
  at: string;
  answer: string;
}

export interface Provider {
  /** Answers the provider's number of the message. Throws `Refused`, or what the way there threw. */
  send(message: ProviderMessage): Promise<{ id: string; answer: string }>;
  /** What became of a message; null while nobody knows. `sent` in Asia/Shanghai, `YYYY-MM-DD HH:mm:ss`. Throws as `send`. */
  receipt(message: { id: string; mobile: string; sent: string }): Promise<Receipt | null>;
}

/** How many characters a provider takes for one place of a template; of a house that has proved who it is Tencent takes any number. */
export const placeLimits: Readonly<Record<string, number>> = { aliyun: 35 };

export interface ProviderAccount {
  /** Where the provider listens; its public address unless told. */
  url: string;
  key: string;
  secret: string;
  /** Number of the application, where the provider asks for one. */
  app: string;
}

/** The provider heard and said no; `hopeless` where this number will never get this message. */
export class Refused extends Error {
  readonly hopeless: boolean;
  constructor(message: string, hopeless: boolean) {
    super(message);
    this.hopeless = hopeless;
  }
}

/** What a provider answered; null where it is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}
