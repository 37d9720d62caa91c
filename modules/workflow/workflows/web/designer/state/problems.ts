import { wording } from '#kernel/contract/words/wording.ts';
import { Draft as DraftSchema } from '../../../engine/definition.ts';
import { publishProblems } from '../../../engine/check/publish-check.ts';
import type { Problem } from '../../../contract/shapes.ts';
import type { Draft } from './draft.ts';

/** What keeps a draft even from being saved: parts that are not filled in. */
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

/** What is looked at between two presses of a key; the rest is looked at for publishing. */
const betweenKeys = 100_000;

/** Everything in the way of publishing that shows without asking the organisation; what is unfinished comes first. */
export function problemsOf(draft: Draft): Problem[] {
  return [...unfinished(draft), ...publishProblems(draft, betweenKeys)];
}

/** Problems as marks of the nodes: those of a button stand at the state it belongs to. */
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
