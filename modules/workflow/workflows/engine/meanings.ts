import { asksPeople, type State } from './definition.ts';

/** A meaning of a state for those who follow its tickets, apart from its people; its label stores the value under `key`. */
export interface Meaning {
  key: string;
  /** The title of the choice in the designer. */
  title: string;
  /** Value → its name. */
  values: Readonly<Record<string, string>>;
}

/** A meaning available to every workflow: where the end of a finished ticket may be requested, and where it is confirmed. */
export const completing: Meaning = {
  key: 'finish',
  title: '办结',
  values: { ask: '办理人可以申请办结', confirm: '办结确认' },
};

/** The value of a state's meaning; null for none. */
export function meant({ label }: Pick<State, 'label'>, { key }: Pick<Meaning, 'key'>): string | null {
  const value = label[key];
  return value === undefined ? null : String(value);
}

/** True if a state may have a meaning: only in states where people decide it has an effect. */
export const mayMean = (state: Pick<State, 'kind'>): boolean => asksPeople(state) && state.kind !== 'subticket';
