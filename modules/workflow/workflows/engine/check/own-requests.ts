import { onEmpty, onSelf, participantType } from '../codes.ts';
import { asksEverybody, asksPeople, type Definition, type State } from '../definition.ts';
import { at, type Problem } from './problem.ts';

/**
 * Warnings where people may approve their own requests or fill several seats because the definition allows it, about those who step in instead, and
 * where the applicant is asked but may not decide.
 */
export function ownRequestWarnings(definition: Definition): Problem[] {
  const { states, settings } = definition;
  const approvals = states.filter((state) => state.kind === 'approve');
  return [...states.flatMap(askedInVain), ...approvals.flatMap((state) => approvalWarnings(state, settings))];
}

const instead = { [onSelf.skip]: '自动跳过', [onSelf.superior]: '转上级处理' };

function askedInVain(state: State): Problem[] {
  const { name, participants, on_self } = state;
  const applicant = participants.some((who) => who.type === participantType.variable && who.variable === 'creator');
  if (!asksPeople(state) || on_self === onSelf.asUsual || !applicant) return [];
  return [
    at(
      state,
      `环节“${name}”的办理人是发起人，但办理人就是发起人时${instead[on_self]}，发起人不会办理；应由本人办理时，请改成照常由本人处理`,
    ),
  ];
}

function approvalWarnings(state: State, { limit }: Definition['settings']): Problem[] {
  const say = (words: string) => at(state, `环节“${state.name}”${words}`);
  const found: Problem[] = [];
  if (state.on_self === onSelf.asUsual && asksSomebody(state))
    found.push(
      say('的办理人就是发起人时照常由本人处理，发起人可以审批自己的工单；不应这样时，请改成转上级处理或自动跳过'),
    );
  const [only, more] = state.on_empty_users;
  const starts = only !== undefined && (limit.users.length === 0 || limit.users.includes(only));
  if (state.on_self !== onSelf.asUsual && state.on_empty === onEmpty.users && starts && more === undefined)
    found.push(say('找不到办理人时只由一人处理，这个人自己发起的工单会改由流程管理员或上级处理'));
  if (state.several_seats && asksEverybody(state))
    found.push(say('允许同一个人占几席，一个人代他人表态后还可以再表态，会签可能由一个人决定'));
  return found;
}

const asksSomebody = ({ participants }: Pick<State, 'participants'>) =>
  participants.some((who) => who.type !== participantType.none);
