import type { ModuleDefinition } from '#kernel/server/product.ts';
import { signOnModule } from './server.ts';

export const signOn: ModuleDefinition = {
  logNames: { signon: '单点登录' },
  servers: (services) => [signOnModule(services)],
};
