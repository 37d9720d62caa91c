import { accountsModule } from '#modules/accounts/server.ts';
import { signOnModule } from '#modules/signon/server.ts';
import type { Part } from '../part.ts';

/** Accounts, and signing in by another server's word: whoever signs out leaves there too. */
export const accountsPart: Part = {
  servers(services) {
    const signOn = signOnModule(services);
    return [accountsModule({ ...services, leaveUrl: signOn.leaveUrl }), signOn];
  },
};
