import { useEffect, useMemo, useRef } from 'react';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { fieldAccess, fieldType } from '../../engine/codes.ts';
import { startOf, type Definition, type State } from '../../engine/definition.ts';
import type { Template } from '../../engine/gallery/vocabulary.ts';
import { graphOfDefinition } from '../graph/of-draft.ts';
import { WorkflowGraph } from '../graph/LazyGraph.tsx';
import { useNames } from '../names.ts';

const writes: readonly unknown[] = [fieldAccess.required, fieldAccess.optional];

/** The names of the fields filled in at a state, tables with their columns. */
function filledIn({ fields }: Definition, state: State): string {
  return fields
    .filter(({ key }) => writes.includes(state.access[key]))
    .map(({ name, type, columns }) =>
      type === fieldType.table ? `${name}（${columns.map((column) => column.name).join('、')}）` : name,
    )
    .join('、');
}

/** A template before it is chosen: its flow, and who fills in what. */
export default function TemplateDetails({ template: { name, about, definition } }: { template: Template }) {
  const names = useNames(null);
  const graph = useMemo(() => graphOfDefinition(definition, names), [definition, names]);
  const start = startOf(definition);
  const narrow = useNarrow();
  const own = useRef<HTMLElement>(null);
  // On a phone it is below all the cards.
  useEffect(() => {
    if (narrow) own.current?.scrollIntoView();
  }, [narrow]);
  const filled = [start, ...definition.states.filter((state) => state !== start)].flatMap((state) => {
    const what = filledIn(definition, state);
    return what ? [{ state, what }] : [];
  });
  return (
    <section ref={own} className="kit-stack" aria-label={`模板“${name}”`}>
      <p>{about}</p>
      <WorkflowGraph states={graph.states} transitions={graph.transitions} height={260} />
      <dl className="flow-filled">
        {filled.map(({ state, what }) => (
          <div key={state.id}>
            <dt>{state.name}填写</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
