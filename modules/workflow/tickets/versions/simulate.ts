import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calledBy, peopleByName } from '#modules/platform/people/service.ts';
import type { Person } from '#modules/workflow/workflows/contract/shapes.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { accessIn, isWritable, rightIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { startOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import type { Simulation, SimulationAsked } from '#modules/workflow/workflows/service.ts';
import type { Command } from '../engine/decide.ts';
import { formsWhenDecided } from '../engine/differing.ts';
import { readValue } from '../engine/form/values.ts';
import { isOver, newTicket, type TicketState } from '../engine/state.ts';
import { creatorFacts } from '../commands/facts.ts';
import { toSteps } from './simulated-steps.ts';
import { buttonOf, walkOn } from './walk.ts';

/** Walks a definition as a ticket of this applicant would; missing required fields are ignored, nothing is written. */
export async function simulate(tx: Db, asked: SimulationAsked): Promise<Simulation> {
  const [found] = (await peopleByName(tx, [asked.applicant])).values();
  if (!found) {
    const [name] = await calledBy(tx, [asked.applicant]);
    throw invalid([{ field: 'applicant', label: '发起人', msg: `用户“${name}”不存在或已停用` }]);
  }
  const { definition, workflow_id } = asked;
  const { usable, ignored } = valuesFor(definition, asked.values);
  const wanted = ({ key }: State, visit: number) =>
    visit === 1 && Object.hasOwn(asked.decisions, key) ? asked.decisions[key] : undefined;
  const words = (state: State, ticket: TicketState) => ({ fields: fieldsFor(state, ticket, usable), choose: {} });
  const { begun_by } = asked;
  const ticket = newTicket(found.id, found.dept_id, begun_by === null ? [] : [begun_by], begun_by);
  const start = startOf(definition);
  const begin: Command = {
    type: 'create',
    actor: found.id,
    transition_id: buttonOf(definition, start, wanted(start, 1))?.id ?? 0,
    suggestion: '同意',
    fields: fieldsFor(start, ticket, usable),
    choose: chosenBy(definition, asked.choose),
  };
  const walked = await walkOn(tx, {
    workflow_id,
    parent_ticket_id: null,
    definition,
    ticket,
    creator: await creatorFacts(tx, found.id, found.dept_id),
    of_record: false,
    begin,
    words,
    button: wanted,
    forms: async (log) => formsWhenDecided(log),
    record: async () => undefined,
  });
  return {
    applicant: personOf(found),
    title: walked.ticket.title,
    finishes: isOver(walked.ticket),
    act_state_id: walked.ticket.act_state,
    act_state_name: actState.label(walked.ticket.act_state),
    steps: await toSteps(tx, definition, walked.log),
    stop: walked.stop,
    ignored,
  };
}

const personOf = ({ id, username, alias, dept_name }: Person): Person => ({ id, username, alias, dept_name });

/** The people chosen for states, by state id. */
const chosenBy = ({ states }: Definition, choose: SimulationAsked['choose']) =>
  Object.fromEntries(
    Object.entries(choose).flatMap(([key, names]) => {
      const state = states.find((candidate) => candidate.key === key);
      return state ? [[String(state.id), names] as const] : [];
    }),
  );

/** The given values that a state may write and that are not set yet. */
function fieldsFor(state: State, ticket: TicketState, values: SimulationAsked['values']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => {
      return isWritable(accessIn(state, key)) && !Object.hasOwn(ticket.form, key);
    }),
  );
}

/** Values that fit their fields, and the reasons why others are left out. */
function valuesFor(definition: Definition, given: Readonly<Record<string, unknown>>) {
  const usable: Record<string, unknown> = {};
  const ignored: Simulation['ignored'] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = definition.fields.find((candidate) => candidate.key === key);
    const right = field && rightIn(startOf(definition), field);
    const rows = right && isWritable(right.access) ? { columns: right.columns, before: [] } : undefined;
    const read = field && readValue(field, value, rows);
    if (!read) ignored.push({ field_key: key, msg: '流程里没有这个字段' });
    else if ('msg' in read) ignored.push({ field_key: key, msg: `${field.name}：${read.msg}` });
    else if (read.value !== null) usable[key] = value;
  }
  return { usable, ignored };
}
