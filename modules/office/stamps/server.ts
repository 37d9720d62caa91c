import { tooMany } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Attempts, Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { ruleHandlers } from '#kernel/server/rules/rules.ts';
import { proveOwner } from '#modules/platform/accounts/service.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import { custodyCalls } from './contract/custody.ts';
import { ledgerCalls } from './contract/ledger.ts';
import { oversightCalls, stampRules } from './contract/oversight.ts';
import { sealCalls } from './contract/seals.ts';
import { wrongPassword } from './contract/seal-refusals.ts';
import { answer } from './custody/answer.ts';
import { listCustody } from './custody/list.ts';
import { propose } from './custody/propose.ts';
import { correctUse } from './ledger/correct.ts';
import { listLedger, registerOf } from './ledger/list.ts';
import { scanned } from './ledger/scan.ts';
import { handleAlert, listAlerts } from './oversight/alerts.ts';
import { statistics } from './oversight/statistics.ts';
import { keepersOf, listStamps, stampDetail, usableStamps } from './seals/list.ts';
import { addStamp, changeStamp, removeStamp } from './seals/write.ts';

interface Services {
  attempts: Attempts;
  settings: Settings;
}
/** By person: codes cannot be guessed, but a lookup is expensive. */
const scanning: Limit = { kind: 'stamp scan', limit: 30, seconds: 60 };

/** Seals: custody, use and ledger. */
export function sealModules({ attempts, settings }: Services): ServerModule[] {
  const prove = async (read: Db, user: Viewer, password: string | undefined) => {
    if (password) await proveOwner({ attempts }, read, user, password, wrongPassword);
    return Boolean(password);
  };
  return [
    implement('stamps', sealCalls, {
      stamps: ({ query }, { tx, user }) => listStamps(tx, user, query),
      addStamp: ({ body }, context) => addStamp(context, body),
      stamp: ({ params }, { tx, user }) => stampDetail(tx, user, params.id),
      putStamp: ({ params, body }, context) => changeStamp(context, params.id, body),
      changeStamp: ({ params, body }, context) => changeStamp(context, params.id, body),
      removeStamp: ({ params }, context) => removeStamp(context, params.id),
      deptStamps: async (_input, { tx, user }) => ({ value: await usableStamps(tx, user) }),
      keepers: async (_input, { tx, user }) => ({ value: await keepersOf(tx, user) }),
    }),
    implement('stamps', custodyCalls, {
      custody: async ({ query }, { tx, user }) => ({ value: await listCustody(tx, user, query) }),
      propose: ({ params, body }, context) => propose(context, params.id, body),
      answer: staged(custodyCalls.answer, {
        before: ({ body }, { read, user }) => prove(read, user, body.password),
        run: ({ params, body, prepared }, context) => answer(context, params.id, body, prepared),
      }),
    }),
    implement('stamps', ledgerCalls, {
      ledger: ({ query }, { tx, user }) => listLedger(tx, user, query),
      correct: ({ params, body }, context) => correctUse(context, params.id, body),
      scan: staged(ledgerCalls.scan, {
        async before(_input, { user }) {
          const tries = await attempts.hit(scanning, String(user.id));
          if (tries.exceeded) throw tooMany('扫码', tries.retryAfter);
        },
        run: ({ query }, { tx, user }) => scanned(tx, user, query.code, tx.services.product.verified),
      }),
      register: async ({ query }, { tx, user }) => ({
        month: query.month,
        site: (await settings.get('site')).name,
        ...(await registerOf(tx, user, query)),
      }),
    }),
    implement('stamps', oversightCalls, {
      statistics,
      alerts: ({ query }, { tx, user }) => listAlerts(tx, user, query),
      handleAlert: ({ params, body }, context) => handleAlert(context, params.id, body),
      ...ruleHandlers(stampRules),
    }),
  ];
}
