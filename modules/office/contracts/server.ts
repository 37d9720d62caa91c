import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import type { Services } from '#kernel/server/services.ts';
import { contracts } from './contract/contracts.ts';
import { performanceCalls } from './contract/performing/performance.ts';
import { contractImport } from './contract/performing/import.ts';
import { registerCalls } from './contract/performing/register.ts';
import { handOver } from './ledger/handover.ts';
import { contractImports } from './ledger/import.ts';
import { ledger } from './ledger/ledger.ts';
import {
  changePerformance,
  listPerformances,
  onePerformance,
  performanceDays,
  removePerformance,
} from './performing/server.ts';
import { contracts as records } from './record/record.ts';
import { contractHandlers } from './record/server.ts';
import { refuseBrokenScan } from './register/ending.ts';
import { registrationsOf } from './register/events.ts';
import { register } from './register/register.ts';
import { contractTextModules } from './texts/server.ts';

export function contractModules(services: Services): ServerModule[] {
  return [
    implement('contracts', contracts, {
      ...contractHandlers,
      manage: ({ query }, context) => ledger(query, context),
      handOver: ({ body }, context) => handOver(context, body),
    }),
    implement('contracts', contractImport.calls, contractImports),
    implement('contracts', registerCalls, {
      register: staged(registerCalls.register, {
        async before({ params, body }, { read, user }) {
          if (body.type !== 'archive') return;
          await refuseBrokenScan(
            read,
            await records.requireVisible(read, await records.viewerOf(read, user), params.id),
          );
        },
        run: ({ params, body }, context) => register(context, params.id, body),
      }),
      async registrations({ params }, { tx, user }) {
        const row = await records.requireVisible(tx, await records.viewerOf(tx, user), params.id);
        return registrationsOf(tx, row.id, user);
      },
    }),
    implement('contracts', performanceCalls, {
      performances: ({ query }, context) => listPerformances(query, context),
      performanceDays: ({ query }, context) => performanceDays(query, context),
      performance: ({ params }, context) => onePerformance(params.id, context),
      changePerformance: ({ params, body }, context) => changePerformance(context, params.id, body),
      removePerformance: ({ params }, context) => removePerformance(context, params.id),
    }),
    ...contractTextModules(services),
  ];
}
