import { calledBy, exitsOf, timerOf, type Definition, type State } from '../engine/definition.ts';
import { meaningText, type Names } from './names.ts';
import { peopleText } from './people-text.ts';
import { timeText } from './timer-text.ts';

/** A state's short text for its node: its people and how they decide, the waiting time, further requirements. */
export function nodeText(state: State, definition: Definition, names: Names): string {
  const timer = timerOf(definition, state.id);
  if (state.kind === 'delay') {
    const [exit] = exitsOf(definition, state.id);
    return exit && exit.timer > 0 ? `等 ${timeText(exit)}` : '未设置等待时间';
  }
  if (state.kind === 'hook') {
    if (calledBy(state).length === 0) return '未选择调用';
    return state.waits ? `等外部系统办完${timer ? ` · ${timeText(timer)}后“${timer.name}”` : ''}` : '通知外部系统';
  }
  return [
    peopleText(state, definition, names),
    ...(state.kind === 'subticket' ? ['等下级工单办结'] : []),
    ...(timer ? [`${timeText(timer)}后自动“${timer.name}”`] : []),
    ...(state.actions.includes('sign') ? ['手写签名'] : []),
    ...names.meanings.map((meaning) => meaningText(state, meaning)).filter((text) => text !== state.name),
  ]
    .filter(Boolean)
    .join(' · ');
}
