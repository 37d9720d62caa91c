import type { FlowLog, FlowStep } from '../../contract/shapes.ts';

/** A line of the opinions on a printed sheet. */
export interface Opinion {
  id: number;
  state: string;
  who: string;
  did: string;
  words: string;
  at: string;
  signature: { url: string } | null;
  /** Names of the opinion's files. */
  files?: readonly string[];
}
/** Actions that decide nothing and so are not printed. */
const unsaid: readonly string[] = ['save', 'read', 'urge', 'cc', 'comment'];

/** Actions that leave a ticket in its state. */
export const still: readonly string[] = [
  'save',
  'comment',
  'urge',
  'cc',
  'read',
  'accept',
  'release',
  'suspend',
  'resume',
  'end_leave',
];

/** All actions on a ticket in order. */
export function latestActionsOf(steps: readonly FlowStep[]): FlowLog[] {
  return steps.flatMap((step) => step.state_flow_log_list).toSorted((a, b) => a.seq - b.seq);
}

/** The decisions and comments among all actions, in order. */
export function opinionsOf(actions: readonly FlowLog[]): Opinion[] {
  return actions
    .filter((log) => !unsaid.includes(log.action))
    .map((log) => ({
      id: log.id,
      state: log.state.state_name,
      who: doerOf(log),
      did: log.transition.transition_name,
      words: log.suggestion,
      at: log.gmt_created.slice(0, 16),
      signature: log.signature,
      files: log.files.map(({ name }) => name),
    }));
}

/** The actor and the person acted for: `乙（代 甲）`. */
export function doerOf(log: Pick<FlowLog, 'participant_info' | 'on_behalf_of'>): string {
  const who = log.participant_info?.alias ?? '系统';
  return log.on_behalf_of ? `${who}（代 ${log.on_behalf_of.alias}）` : who;
}

/** The text of a row: the comment and the reasons, each sentence once, the longer one of two that begin alike. */
export function sentencesOf(log: Pick<FlowLog, 'suggestion' | 'reasons'>): { words: string; reasons: string[] } {
  const reasons = [...new Set(log.reasons)];
  const repeated = log.suggestion !== '' && reasons.some((reason) => reason.startsWith(log.suggestion));
  return { words: repeated ? '' : log.suggestion, reasons };
}
