import { participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { asksPeople } from '#modules/workflow/workflows/engine/definition.ts';
import { calledBy, peopleById, peopleByName } from '#modules/platform/people/service.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { WouldAsked, Would } from '#modules/workflow/workflows/service.ts';
import { answersTo, creatorFacts } from '../commands/facts.ts';
import { peopleFor, oneOf } from '../engine/people/assigning.ts';
import { Unanswered, whoIsAsked, type Answers } from '../engine/people/people.ts';
import { newTicket } from '../engine/state.ts';
import type { Work } from '../engine/work.ts';
import { noRights } from '../engine/ways/offers.ts';
import { wordsFor } from '../read/sources.ts';
import { ruleOf } from './simulated-steps.ts';

const byTicket: readonly number[] = [
  participantType.field,
  participantType.fieldHeads,
  participantType.parentField,
  participantType.external,
  participantType.doneBy,
];
/** More rounds than there are levels to ask about. */
const mostRounds = 50;

/** The people a state would ask if somebody began a ticket now, by the running engine's own rules; without what only a ticket can determine. */
export async function whoWould(tx: Db, { workflow_id, definition, state, applicant }: WouldAsked): Promise<Would> {
  const [found] = (await peopleByName(tx, [applicant])).values();
  if (!found) {
    const [name] = await calledBy(tx, [applicant]);
    throw invalid([{ field: 'applicant', label: '发起人', msg: `用户“${name}”不存在或已停用` }]);
  }
  const creator = await creatorFacts(tx, found.id, found.dept_id);
  const ticket = newTicket(found.id, found.dept_id);
  const asked = (people: Answers) => {
    const work: Work = { definition, facts: { creator, people, random: 0, rights: noRights }, state: ticket, log: [] };
    if (!asksPeople(state)) return { people: whoIsAsked(definition, state, ticket, people), left_out: [], why: '' };
    const all = peopleFor(work, state, false);
    return { ...all, people: oneOf(work, state, all.people) ?? all.people };
  };
  let answers: Answers = {};
  for (let round = 0; round < mostRounds; round++) {
    try {
      const { people, left_out, why } = asked(answers);
      const known = await peopleById(tx, [...people, ...left_out]);
      const card = (id: number) => {
        const { username = '', alias = '', dept_name = '' } = known.get(id) ?? {};
        return { id, username, alias, dept_name };
      };
      const later = state.participants.some(
        (who) =>
          byTicket.includes(who.type) || (who.type === participantType.variable && who.variable.endsWith('_select')),
      );
      return {
        people: people.map(card),
        left_out: left_out.map(card),
        reasons: [
          ...(await wordsFor(tx, definition, { states: [state] })).sources(state),
          ...ruleOf(state, people.length),
          ...(why ? [why] : []),
          ...(later ? ['其中由表单、选择或前面环节决定的人，要有工单才知道'] : []),
        ],
      };
    } catch (open) {
      if (!(open instanceof Unanswered)) throw open;
      answers = { ...answers, ...(await answersTo(tx, { workflow_id, parent_ticket_id: null }, open.queries)) };
    }
  }
  throw new Error('the state asks without end');
}
