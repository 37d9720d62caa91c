import type { ModuleDefinition } from '#kernel/server/product.ts';
import { leaveUrl } from '#modules/platform/signon/service.ts';
import { forgottenModule } from './forgotten/server.ts';
import { onlineModule } from './online/server.ts';
import { secondModule } from './second/server.ts';
import { seeingModule } from './seeing/server.ts';
import { accountsModule } from './server.ts';

/** Signing out here also signs out at the provider that was used. */
export const accounts: ModuleDefinition = {
  logNames: { accounts: '登录与账号' },
  servers: (services) => [
    accountsModule({ ...services, leaveUrl: leaveUrl(services) }),
    forgottenModule(services),
    onlineModule(services),
    secondModule(services),
    seeingModule(services),
  ],
};
