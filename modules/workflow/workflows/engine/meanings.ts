import { asksPeople, type State } from './definition.ts';

/** What a state may mean to whoever follows its tickets, besides who decides there; its label keeps the value under `key`. */
export interface Meaning {
  key: string;
  /** What the choice is called where a workflow is designed. */
  title: string;
  /** Value → what it is called. */
  values: Readonly<Record<string, string>>;
}

/** What every workflow may say: who may apply for the completion of a finished ticket, and where that is confirmed. */
export const completing: Meaning = {
  key: 'finish',
  title: '办结',
  values: { ask: '办理人可以申请办结', confirm: '办结确认' },
};

/** The value a state has of a meaning; null for none. */
export function meant({ label }: Pick<State, 'label'>, { key }: Pick<Meaning, 'key'>): string | null {
  const value = label[key];
  return value === undefined ? null : String(value);
}

/** Whether a state may have a meaning: only where people decide is anything done by it. */
export const mayMean = (state: Pick<State, 'kind'>): boolean => asksPeople(state) && state.kind !== 'subticket';
