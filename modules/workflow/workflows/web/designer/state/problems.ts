import { wording } from '#kernel/contract/words/wording.ts';
import { Draft as DraftSchema } from '../../../engine/definition.ts';
import { publishProblems } from '../../../engine/check/publish-check.ts';
import type { Problem } from '../../../contract/shapes.ts';
import type { Draft } from './draft.ts';

/** Problems that keep a draft even from being saved: incomplete parts. */
export function unfinished(draft: Draft): Problem[] {
  const parsed = DraftSchema.safeParse(draft);
  if (parsed.success) return [];
  const found = new Map<string, Problem>();
  for (const issue of parsed.error.issues) {
    const [list, index] = issue.path;
    const { kind, part } = partAt(draft, list, Number(index));
    const what = part ? `${titles[kind]}“${part.name || part.key}”` : '流程设置';
    const why = issue.path.includes('conditions')
      ? '的条件没有填写完整'
      : issue.path.includes('participants')
        ? '的办理人没有填写完整'
        : issue.message === wording(issue)
          ? '没有填写完整'
          : issue.message;
    const msg = `${what}${why}`;
    found.set(msg, { kind, key: part?.key ?? null, msg });
  }
  return [...found.values()];
}

const titles = { state: '环节', transition: '流转', field: '字段', workflow: '流程' } as const;

function partAt(draft: Draft, list: unknown, index: number) {
  if (list === 'states') return { kind: 'state' as const, part: draft.states[index] };
  if (list === 'transitions') return { kind: 'transition' as const, part: draft.transitions[index] };
  if (list === 'fields') return { kind: 'field' as const, part: draft.fields[index] };
  return { kind: 'workflow' as const, part: undefined };
}

/** The effort spent between two key presses; the rest is examined on publishing. */
const betweenKeys = 100_000;

/** Everything in the way of publishing that is found without asking the organisation; incomplete parts come first. */
export function problemsOf(draft: Draft): Problem[] {
  return [...unfinished(draft), ...publishProblems(draft, betweenKeys)];
}

/** Problems as marks of the nodes: a button's problems are shown at its state. */
export function marksOf(draft: Draft, problems: readonly Problem[]): Map<number, string[]> {
  const marks = new Map<number, string[]>();
  for (const { kind, key, msg } of problems) {
    const id =
      kind === 'state'
        ? draft.states.find((state) => state.key === key)?.id
        : kind === 'transition'
          ? draft.transitions.find((one) => one.key === key)?.source
          : undefined;
    if (id !== undefined) marks.set(id, [...(marks.get(id) ?? []), msg]);
  }
  return marks;
}
