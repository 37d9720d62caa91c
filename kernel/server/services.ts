import type { Logger } from 'pino';
import type { Attempts } from './access/attempts.ts';
import type { Databases } from './db/db.ts';
import type { ToPdf } from './files/office-pdf.ts';
import type { Ports } from './http/implement.ts';
import type { Bus } from './live/bus.ts';
import type { Outgoing } from './outside/outgoing.ts';
import type { Probes } from './outside/probing.ts';
import type { SecretBox } from './process/secret-box.ts';
import type { Product } from './product.ts';

/**
 * Services that the calls and tasks of a product share. Handlers get them with their transaction, and code that has only the transaction finds them
 * there (`tx.services`); modules add what they provide, by declaration (decision 0045).
 */
export interface Services {
  /** The product's release, e.g. `4.0.0`. */
  version: string;
  databases: Databases;
  bus: Bus;
  log: Logger;
  attempts: Attempts;
  secret: string;
  secretBox: SecretBox;
  outgoing: Outgoing;
  probes: Probes;
  toPdf: ToPdf | null;
  identifySigned: Ports['identifySigned'];
  identifyByToken: Ports['identifyByToken'];
  product: Product;
  /** The origin that people use, without a trailing slash; null if none is configured and the server is not only for this machine. */
  publicUrl(): string | null;
}
