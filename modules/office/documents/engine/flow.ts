import { reachedWithout, passesByItself } from '#modules/workflow/workflows/engine/check/consent.ts';
import { at, whole, type Problem } from '#modules/workflow/workflows/engine/check/problem.ts';
import type { Definition, State } from '#modules/workflow/workflows/engine/definition.ts';
import { meant, type Meaning } from '#modules/workflow/workflows/engine/meanings.ts';
import { docKind } from '../contract/shapes.ts';

/**
 * The meaning of a state for a document: the effect of leaving it by consent, or where its opinions are printed. Stored in the state's
 * label, so that it survives a redrawn flow.
 */
export const documentMeaning = {
  key: 'document',
  title: '在公文中的含义',
  values: {
    propose: '拟办',
    decide: '批示',
    carry: '承办',
    countersign: '会签',
    sign: '签发',
    review: '复核',
    number: '登记编号',
    print: '用印、印发',
  },
} as const satisfies Meaning;
export type DocumentMeaning = keyof typeof documentMeaning.values;

/** A state from which on a letter may be distributed before its end. */
export const givingMeaning = {
  key: 'distribute',
  title: '分发',
  values: { from: '从这里起可以分发' },
} as const satisfies Meaning;
export const givesOut = (state: Pick<State, 'label'>): boolean => meant(state, givingMeaning) !== null;

export const means = (state: Pick<State, 'label'>, value: DocumentMeaning): boolean =>
  meant(state, documentMeaning) === value;

const lacks = { sign: '签发', number: '发文字号' } as const;
/** The facts that a finished document of a kind must have. */
const needs: Readonly<Record<number, keyof typeof lacks>> = { 1: 'number', 3: 'sign' };

/** Problems that keep a definition from deciding the given kinds of documents. The definition is valid as a workflow. */
export function flowProblems(definition: Definition, kinds: readonly number[]): Problem[] {
  const statesOf = (value: DocumentMeaning) => definition.states.filter((state) => means(state, value));
  const acting = (['sign', 'number'] as const).flatMap((value) =>
    statesOf(value).flatMap((state) => {
      const passes = passesByItself(definition, state);
      return passes
        ? [at(state, `环节“${state.name}”${passes.how}，公文就没有${lacks[value]}；请${passes.instead}`)]
        : [];
    }),
  );
  const unsigned = reachedWithout(definition, statesOf('sign'));
  const unnumbered = reachedWithout(definition, statesOf('number'));
  const { title, values } = documentMeaning;
  const early = statesOf('number')
    .filter((state) => unsigned.has(state.id))
    .map((state) =>
      at(
        state,
        `到环节“${state.name}”之前可以不经过“${values.sign}”，公文在那里登记不了编号；请打开签发的环节，把“${title}”选为“${values.sign}”，并让每条路都经过它`,
      ),
    );
  const given = definition.states.filter(givesOut).flatMap((state) => {
    const without = [...(unsigned.has(state.id) ? ['签发'] : []), ...(unnumbered.has(state.id) ? ['登记编号'] : [])];
    const is = `环节“${state.name}”的“${givingMeaning.title}”是“${givingMeaning.values.from}”`;
    if (without.length > 0)
      return [
        at(state, `${is}，但到那里可以不经过${without.join('、')}；请去掉这个含义，或让每条路都先经过签发和登记编号`),
      ];
    return means(state, 'review') ? [at(state, `${is}，但复核时正文还可能修改；请把它移到复核之后的环节`)] : [];
  });
  const causes = [...acting, ...early, ...kinds.flatMap((kind) => unfinished(definition, kind))];
  // Problems caused by others are reported once those are fixed.
  return [...causes, ...(causes.length > 0 ? [] : given), ...titleProblems(definition)];
}

/** The title must be the form's, because the document takes its title from the ticket. */
function titleProblems({ settings: { title_template } }: Definition): Problem[] {
  return title_template.trim() === '{title}'
    ? []
    : [whole(`标题模板是“${title_template}”，公文的标题会跟着改变；请改成“{title}”`)];
}

function unfinished(definition: Definition, kind: number): Problem[] {
  const need = needs[kind];
  if (need === undefined) return [];
  const { title, values } = documentMeaning;
  const states = definition.states.filter((state) => means(state, need));
  const used = `流程用于${docKind.label(kind)}，但`;
  const then = `办结的公文没有${lacks[need]}`;
  const [first] = states;
  if (!first)
    return [
      whole(`${used}没有环节的“${title}”是“${values[need]}”，${then}；请打开${values[need]}的环节，选择这个含义`),
    ];
  const around = reachedWithout(definition, states);
  return definition.states.some((state) => state.kind === 'end' && around.has(state.id))
    ? [at(first, `${used}可以不经过环节“${first.name}”就办结，${then}；请让每条路都经过它`)]
    : [];
}
