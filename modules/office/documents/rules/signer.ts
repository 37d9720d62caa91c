import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holdersOf, peopleById, peopleByName } from '#modules/platform/people/service.ts';
import type { Turn } from '#modules/workflow/tickets/service.ts';
import { participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { means } from '../engine/flow.ts';
import type { Stored } from '../visibility/visibility.ts';

/** The workflow field that names the issuer. */
const field = 'issuer';

/** The value of the workflow field: the issuer's user name. */
export const signerField = async (tx: Db, { issuer }: Pick<Stored, 'issuer'>): Promise<string | null> =>
  issuer === null ? null : ((await peopleById(tx, [issuer])).get(issuer)?.username ?? null);

/** The issuer after an event: the document's, until somebody names another in the workflow. */
export async function signerAfter(tx: Db, { issuer }: Stored, { state, log }: Turn): Promise<number | null> {
  const named = log.some(({ events }) => events.some((one) => one.type === 'field_changed' && one.key === field));
  if (!named) return issuer;
  const username = state.form[field];
  return typeof username === 'string' ? ((await peopleByName(tx, [username])).get(username)?.id ?? null) : null;
}

const asksTheNamed = ({ states }: Definition) =>
  states.some(
    (state) =>
      means(state, 'sign') &&
      state.participants.some((one) => one.type === participantType.field && one.field === field),
  );

/** Refuses an issuer who may not sign for the house, or is the author, in workflows that ask exactly the named one. */
export async function refuseSigner(tx: Db, { issuer, creator_id }: Stored, definition: Definition): Promise<void> {
  if (issuer === null || !asksTheNamed(definition)) return;
  const wrong = (msg: string) => invalid([{ field, label: '签发人', msg }]);
  if (issuer === creator_id) throw wrong('起草人不能签发自己的公文，请选择其他校领导');
  const leaders = await holdersOf(tx, 'xld');
  if (!leaders.some((one) => one.id === issuer)) throw wrong('公文由校领导签发，请选择校领导');
}
