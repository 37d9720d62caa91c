import { savepoint } from '#kernel/server/db/db.ts';
import { codes, invalid, Refusal } from '#kernel/contract/refusal.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import type { Action } from './deciding.ts';
import { act, seenBy, type CommandContext, type Moved, type Seen } from './commands.ts';
import type { ticketActions } from '../contract/actions.ts';
import { notOffered } from '../contract/refusals.ts';
import { codesOf, type Offer } from '../engine/ways/offers.ts';
import { offersTo } from '../visibility/delegation.ts';

type Asked = BodyOf<typeof ticketActions.batch>;
interface Result {
  id: number;
  ok: boolean;
  code: number;
  msg: string;
}

/** Decides tickets one by one, each on its own: a refused one leaves the others as they are. */
export async function decideSeveral(
  context: CommandContext,
  asked: Asked,
  done: (moved: Moved) => Promise<void>,
): Promise<Result[]> {
  if (asked.action === 'deliver' && !asked.target_username)
    throw invalid([{ field: 'target_username', label: '用户', msg: '请选择用户' }]);
  const results = new Map<number, Result>();
  // Always in the same order, so that two batches over the same tickets wait for each other instead of deadlocking.
  for (const id of [...new Set(asked.ticket_ids)].toSorted((a, b) => a - b)) {
    try {
      const moved = await savepoint(context.tx, async () => {
        const seen = await seenBy(context.tx, context.user, id, true);
        return act(context, id, actionFor(seen, asked), {}, seen);
      });
      await done(moved);
      results.set(id, { id, ok: true, code: codes.ok, msg: '处理成功' });
    } catch (stop) {
      if (!(stop instanceof Refusal)) throw stop;
      results.set(id, { id, ok: false, code: stop.code, msg: stop.message });
    }
  }
  return asked.ticket_ids.map((id) => results.get(id)).filter((result) => result !== undefined);
}

/** The one button that a batch action means. */
function actionFor(seen: Seen, { action, suggestion, target_username }: Asked): Action {
  const {
    state,
    version: { definition },
  } = seen;
  const offers = offersTo(seen, seen.reader);
  const together = (offer: Offer) =>
    offer.state_id !== null && stateOf(definition, offer.state_id).actions.includes('batch');
  const refuse = (why: string) => notOffered(why, state.act_state, codesOf(offers));
  const attribute = action === 'agree' ? attributeType.agree : attributeType.refuse;
  const fits = offers.filter((offer) =>
    action === 'deliver'
      ? offer.action === 'deliver' && !offer.from_admin
      : offer.action === 'handle' && offer.transition?.attribute === attribute,
  );
  const [offer, ...more] = fits.filter(together);
  if (!offer && fits.length > 0) throw refuse('这个环节不允许批量处理，请打开工单单独处理');
  if (more.length > 0) throw refuse('这张工单有几种处理方式，请打开工单选择');
  const task_no = offer?.task_no ?? undefined;
  if (action === 'deliver') return { type: 'deliver', people: [target_username ?? ''], suggestion, task_no };
  // If no button fits, the engine says who has decided it meanwhile.
  const transition_id = offer?.transition?.id ?? 0;
  return { type: 'handle', transition_id, task_no, suggestion, fields: {}, choose: {} };
}
