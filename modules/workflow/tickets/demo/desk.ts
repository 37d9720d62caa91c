import { sql } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { withoutRequest } from '#kernel/server/http/implement.ts';
import { demoViewers } from '#modules/platform/people/demo.ts';
import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { exitsOf, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { act } from '../commands/commands.ts';
import { definitionOf, handlersOf, standsIn } from '../service.ts';

/** The origin of what the demonstration does. */
export const demoOrigin = { ip: '127.0.0.1', userAgent: 'demo', traceId: 'demo' };
/** No workflow of the demonstration has more steps one after the other. */
const mostSteps = 12;

interface Decision {
  /** The time at which they decide. */
  at: Date;
  /** Leaves the ticket at this step, named by its key or its name. */
  until?: string | undefined;
  /** The reason of a refusal; all agree unless given. */
  refuse?: string | undefined;
  /** The fields that a step asks for. */
  fields?: (state: State) => Record<string, unknown>;
}

/** The people of the demonstration at work: contexts for commands in their names, and the decisions that tickets ask of them. */
export function demoDesk(tx: Db) {
  const person = demoViewers(tx);
  /** The context of a command that somebody, who may be given by user name or id, gives at a time. */
  const as = async (who: string | number | Viewer, at: Date) => ({
    ...withoutRequest(tx, typeof who === 'object' ? who : await person(who), at, 'demo'),
    origin: demoOrigin,
  });
  /** Decides one step of a ticket in the name of the first who is asked; false if nobody is, or the step is the last wanted. */
  async function decideOnce(ticket: number, { at, until, refuse, fields = () => ({}) }: Decision): Promise<boolean> {
    const [state] = await standsIn(tx, ticket);
    const [holder] = await handlersOf(tx, ticket);
    if (
      !state ||
      holder === undefined ||
      ['start', 'end'].includes(state.kind) ||
      [state.key, state.name].includes(until ?? '')
    )
      return false;
    const wanted = refuse === undefined ? attributeType.agree : attributeType.refuse;
    const exit = exitsOf(await definitionOf(tx, ticket), state.id).find(({ attribute }) => attribute === wanted);
    if (!exit) throw new Error(`nobody can decide ${state.key} of ticket ${ticket}`);
    const said = { transition_id: exit.id, suggestion: refuse ?? '同意', fields: fields(state), choose: {} };
    await act(await as(holder, at), ticket, { type: 'handle', ...said });
    return true;
  }
  return {
    person,
    as,
    decideOnce,
    /** Decides the steps of a ticket one after the other, until it has ended or stands where it shall wait. */
    async decide(ticket: number, decision: Decision): Promise<void> {
      for (let step = 0; step < mostSteps; step += 1) if (!(await decideOnce(ticket, decision))) return;
    },
    /** Returns the latest ticket of a record, for one that came about by a command on another record. */
    async ticketOf(module: string, record: number): Promise<number> {
      const { rows } = await tx.execute<{ id: number }>(
        sql`select id from ticket where biz_module = ${module} and biz_id = ${record} order by id desc limit 1`,
      );
      if (!rows[0]) throw new Error(`${module} ${record} has no ticket`);
      return rows[0].id;
    },
    /** Dates a ticket, which the database would date by its own clock: when it was begun, and sent and ended if it is by now. */
    async dateTicket(ticket: number, begun: Date, ended = begun): Promise<void> {
      const [from, until] = [begun.toISOString(), ended.toISOString()];
      await tx.execute(sql`update ticket set gmt_created = ${from},
        submitted_at = case when submitted_at is not null then ${from}::timestamptz end,
        finished_at = case when finished_at is not null then ${until}::timestamptz end where id = ${ticket}`);
    },
  };
}
