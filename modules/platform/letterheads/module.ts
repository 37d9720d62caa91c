import type { ModuleDefinition } from '#kernel/server/product.ts';
import { seedLetterheads } from './seed.ts';
import { letterheadsModule } from './server.ts';

export const letterheads: ModuleDefinition = {
  logNames: { letterheads: '红头模板' },
  seed: seedLetterheads,
  servers: () => [letterheadsModule],
};
