import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import type { Half } from '../../contract/leave.ts';
import type { Action } from './actions.ts';

/** The additions to the words of an opinion in the page's box. */
export interface Beside {
  /** Ids of files. */
  files: readonly number[];
  /** User names of the people chosen after `@`; the names in the text would not tell two people of one name apart. */
  mentions: readonly string[];
}
export const nothingBeside: Beside = { files: [], mentions: [] };

/** The input for an action. */
export interface Asking {
  /** User names of the people the action is for, or whom an opinion mentions. */
  people: readonly string[];
  state_id?: number;
  /** States of several branches at once. */
  state_ids?: number[];
  resubmit_mode?: 1 | 2;
  /** For `state`, after the reply that other branches run in parallel. */
  beside?: 'keep' | 'end';
  type: 'before' | 'parallel' | 'after';
  mode: 'all' | 'any' | 'sequential';
  /** Task of the added signer to remove, or somebody else's task to act on. */
  added?: number;
  /** For `end_leave`: the day of return, and its half. */
  day?: string;
  half?: Half;
  words: string;
  /** Ids of files of the opinion. */
  files?: readonly number[];
}
export const nothingAsked: Asking = { people: [], type: 'before', mode: 'all', words: '' };

/** Calls of this module that always require a comment, whatever the workflow says. */
const wordy: readonly Offered['code'][] = ['return', 'state', 'comment'];
export const needsWords = (offer: Offered) => offer.suggestion_required || wordy.includes(offer.code);

/** Actions whose words are an opinion, which may have files and mention people. */
export const isOpinion = ({ code }: Offered): boolean => ['comment', 'return', 'add_node_end'].includes(code);

/** Opinions that decide a task: people and files chosen in the page's opinion box go with them. A comment leaves them there. */
export const takesOpinion = (offer: Offered): boolean => isOpinion(offer) && offer.code !== 'comment';

/** The people with one more, unless they are among them. */
export const withPerson = (people: readonly string[], username: string): readonly string[] =>
  people.includes(username) ? people : [...people, username];

interface Begun {
  /** Words of the page's opinion box. */
  words: string;
  /** People and files of the page's opinion box. */
  beside?: Beside | undefined;
  /** The input kept from an earlier time. */
  kept?: Partial<Asking> | undefined;
  /** User names of the people initially chosen. */
  people?: readonly string[] | undefined;
}

/** The input with which the form of an action opens. */
export function askingAtFirst(offer: Offered, { words, beside, kept, people }: Begun): Asking {
  return {
    ...nothingAsked,
    words,
    ...kept,
    ...(beside && takesOpinion(offer) && { people: beside.mentions, files: beside.files }),
    ...(people && { people }),
  };
}

/** The people the form may name; a comment may always mention people. */
export const targetOf = (offer: Offered): Offered['target'] => (offer.code === 'comment' ? 'optional' : offer.target);

/** The state preselected if there is only one. */
export function chosenState(offer: Offered, asking: Asking): number | undefined {
  return asking.state_id ?? (offer.states.length === 1 ? offer.states[0]?.state_id : undefined);
}
export function chosenSigner(offer: Offered, asking: Asking): number | undefined {
  return asking.added ?? (offer.added.length === 1 ? offer.added[0]?.task_no : undefined);
}

/** The day of return from leave: today if no other was chosen. */
export const chosenDay = ({ leave }: Offered, { day }: Asking): string => day ?? leave?.now.slice(0, 10) ?? '';

export const whoseLabel = (offer: Offered) => (offer.from_admin ? '谁的待办' : '减去谁');

/** True if it goes to several states in parallel. */
export const severalOf = ({ state_ids }: Asking): boolean => (state_ids?.length ?? 0) > 0;

/** Missing input, reported before anything is sent. */
export function lackingOf(offer: Offered, action: Action, asking: Asking): FieldError[] {
  const lacking: FieldError[] = [];
  const target = targetOf(offer);
  if ((target === 'one' || target === 'several') && asking.people.length === 0)
    lacking.push({ field: 'target_username', label: action.people, msg: '请选择人员' });
  if (offer.states.length > 0 && !severalOf(asking) && chosenState(offer, asking) === undefined)
    lacking.push({ field: 'state_id', label: action.where, msg: '请选择环节' });
  if (offer.added.length > 0 && chosenSigner(offer, asking) === undefined)
    lacking.push({ field: 'task_no', label: whoseLabel(offer), msg: '请选择' });
  if (offer.leave && chosenDay(offer, asking) === '')
    lacking.push({ field: 'day', label: '返岗日期', msg: '请选择日期' });
  if (needsWords(offer) && asking.words.trim() === '')
    lacking.push({ field: 'suggestion', label: action.words, msg: unfilled });
  return lacking;
}

/** The body of the call. */
export function bodyOf(offer: Offered, action: Action, asking: Asking, version: number): Record<string, unknown> {
  const target = targetOf(offer);
  const task = offer.added.length > 0 ? chosenSigner(offer, asking) : action.task ? offer.task_no : null;
  return {
    suggestion: asking.words,
    ...(isOpinion(offer) && asking.files && asking.files.length > 0 ? { files: asking.files } : {}),
    ...(isOpinion(offer) && asking.people.length > 0 ? { mentions: asking.people } : {}),
    ...(isOpinion(offer) || target === 'none'
      ? {}
      : { target_username: target === 'one' ? asking.people[0] : asking.people }),
    ...(severalOf(asking)
      ? { state_ids: asking.state_ids }
      : offer.states.length > 0
        ? { state_id: chosenState(offer, asking) }
        : {}),
    ...(offer.resubmit_mode === null || severalOf(asking)
      ? {}
      : { resubmit_mode: asking.resubmit_mode ?? offer.resubmit_mode }),
    ...(asking.beside ? { beside: asking.beside } : {}),
    ...(offer.code === 'add_node' ? { type: asking.type, mode: asking.mode } : {}),
    ...(offer.leave ? { day: chosenDay(offer, asking), half: asking.half ?? 'am' } : {}),
    ...(task === null ? {} : { task_no: task }),
    ...(offer.from_admin ? { from_admin: true } : {}),
    ...(action.version ? { version } : {}),
  };
}
