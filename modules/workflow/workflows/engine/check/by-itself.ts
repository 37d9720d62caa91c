import { attributeType, distributeType, fieldAccess, isShownOnly, participantType, timeoutAction } from '../codes.ts';
import { asksPeople, exitsOf, isSave, passesOf, startOf, type Definition, type State } from '../definition.ts';
import { isComputed } from '../formula/formula.ts';
import { branchesOf, splitOf } from './branches/branch-check.ts';
import { skipsOf } from './consent.ts';
import { mayBeEmpty } from './people.ts';
import { at, type Problem } from './problem.ts';

/** Automatic steps that have no exit, or several: the result would be arbitrary, or it would stall much later. */
export function byItselfProblems(definition: Definition, state: State): Problem[] {
  const say = (msg: string) => at(state, `环节“${state.name}”${msg}`);
  const found = [...lateFaults(definition, state), ...skipFaults(definition, state)].map(say);
  const split = state.kind === 'join' && state.join_count !== undefined ? splitOf(definition, state.id) : undefined;
  const branches = split ? branchesOf(definition, split, state.id).length : 0;
  if (split && state.join_count! > branches)
    found.push(say(`要 ${state.join_count} 个分支到达才继续，“${split.name}”只有 ${branches} 个分支，请改小`));
  return found;
}

/** The faults of passing a state that asks nobody: several possible buttons, and required fields that stay empty. */
function skipFaults(definition: Definition, state: State): string[] {
  const [skip] = asksPeople(state) ? skipsOf(state) : [];
  if (!skip) return [];
  const { how, instead } = skip;
  const ways = passesOf(definition, state.id).filter((exit) => exit.attribute !== attributeType.refuse);
  const lacking = ways.some((exit) => exit.field_require_check) ? leftOpen(definition, state) : [];
  const names = ways.map(({ name }) => `“${name}”`).join('、');
  return [
    ...(ways.length === 0 ? [`${how}，但除“拒绝”外没有别的流转可走，请加上，或${instead}`] : []),
    ...(ways.length > 1 ? [`${how}，但${names}都可以走，不知道走哪一个，请只留一个，或${instead}`] : []),
    ...(lacking.length > 0 ? [`${how}，但必填的${lacking.join('、')}这时没有人填写，请不要求必填，或${instead}`] : []),
  ];
}

/** Faults of the rule for a missed deadline. */
function lateFaults(definition: Definition, state: State): string[] {
  const { timeout, kind } = state;
  if (!timeout || (timeout.action === timeoutAction.none && timeout.before === undefined)) return [];
  if (kind === 'start' || kind === 'end' || !asksPeople(state))
    return ['没有人在规定时间内办理，不能设置临期提醒和超过时限后的处理，请去掉'];
  if (timeout.before !== undefined && timeout.before >= timeout.hours)
    return [`到期前 ${timeout.before} 小时提醒，办理时限却只有 ${timeout.hours} 小时，请改小`];
  const exits = exitsOf(definition, state.id).filter((exit) => !isSave(definition, exit));
  const having = (attribute: number) => exits.filter((exit) => exit.attribute === attribute);
  const names = (some: typeof exits) => some.map(({ name }) => `“${name}”`).join('、');
  const [agreeing, refusing] = [having(attributeType.agree), having(attributeType.refuse)];
  switch (timeout.action) {
    case timeoutAction.agree: {
      const lacking = agreeing.some((exit) => exit.field_require_check) ? leftOpen(definition, state) : [];
      return [
        ...(agreeing.length === 0 ? ['超过时限要自动同意，但没有“同意”的流转，请改成别的处理'] : []),
        ...(agreeing.length > 1
          ? [`超过时限要自动同意，但${names(agreeing)}都是同意，不知道走哪一个，请改成别的处理，或只留一个`]
          : []),
        ...(lacking.length > 0
          ? [`超过时限要自动同意，但必填的${lacking.join('、')}没有人填写，请改成别的处理，或不要求必填`]
          : []),
      ];
    }
    case timeoutAction.giveBack:
      if (refusing.length === 1) return [];
      return refusing.length === 0
        ? ['超过时限要自动退回，但没有“拒绝”的流转，请加上，或改成别的处理']
        : [`超过时限要自动退回，但${names(refusing)}都是拒绝，不知道走哪一个，请改成别的处理，或只留一个`];
    case timeoutAction.transfer:
      return isForThemselves(state) ? ['超过时限要转给的人就是这里的办理人，没有别人可转，请另选他人'] : [];
    default:
      return [];
  }
}

/** Fields required here that may still be empty: an automatic step cannot fill them in. */
function leftOpen(definition: Definition, state: State): string[] {
  const start = startOf(definition);
  return definition.fields
    .filter(
      (field) => state.access[field.key] === fieldAccess.required && !isComputed(field) && !isShownOnly(field.type),
    )
    .filter(({ key }) => start.access[key] !== fieldAccess.required && mayBeEmpty(definition, state, key))
    .map(({ name }) => `“${name}”`);
}

/** True if the new assignees of a late task always have it already, whoever applies. */
function isForThemselves({ participants, timeout, distribution }: State): boolean {
  if (distribution.type === distributeType.random || participants.length === 0) return false;
  const named = participants.flatMap((one): readonly (number | null)[] =>
    one.type === participantType.user ? [one.user] : one.type === participantType.users ? one.users : [null],
  );
  const users = timeout?.users ?? [];
  return users.length > 0 && !named.includes(null) && users.every((user) => named.includes(user));
}
