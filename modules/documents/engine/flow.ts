import { reachedWithout, passesByItself } from '#modules/workflows/engine/check/consent.ts';
import { at, whole, type Problem } from '#modules/workflows/engine/check/problem.ts';
import type { Definition, State } from '#modules/workflows/engine/definition.ts';
import { meant, type Meaning } from '#modules/workflows/engine/meanings.ts';
import { docKinds } from '../contract/shapes.ts';

/** What a state is to a document: what is done when it is left by consent, or where its opinions stand on the sheet. Kept in the state's label, so that the flow may be redrawn. */
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

export const means = (state: Pick<State, 'label'>, value: DocumentMeaning): boolean =>
  meant(state, documentMeaning) === value;

const lacks = { sign: '签发', number: '发文字号' } as const;
/** What a document of a kind must have when it is finished. */
const needs: Readonly<Record<number, keyof typeof lacks>> = { 1: 'number', 3: 'sign' };

/** What keeps a definition from deciding documents, of the kinds that use it. The definition holds together as a workflow. */
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
  const { title, values } = documentMeaning;
  const early = statesOf('number')
    .filter((state) => unsigned.has(state.id))
    .map((state) =>
      at(
        state,
        `到环节“${state.name}”之前可以不经过“${values.sign}”，公文在那里登记不了编号；请打开签发的环节，把“${title}”选为“${values.sign}”，并让每条路都经过它`,
      ),
    );
  return [...acting, ...early, ...kinds.flatMap((kind) => unfinished(definition, kind)), ...titleProblems(definition)];
}

/** A document takes its title from its ticket, which takes it from the form. */
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
  const used = `流程用于${docKinds[kind as keyof typeof docKinds]}，但`;
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
