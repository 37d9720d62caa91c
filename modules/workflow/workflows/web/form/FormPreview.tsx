import { Select } from 'antd';
import { useState } from 'react';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { fieldAccess } from '../../engine/codes.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { rightIn } from '../../engine/fields/rights.ts';
import { settledItems } from '../../engine/fields/settled-items.ts';
import type { Draft } from '../designer/state/draft.ts';
import { useWorks } from '../fields/useWorks.ts';
import { TicketFields } from '../fields/TicketFields.tsx';

/** The form as people will see it in a chosen state; input is not saved. */
export function FormPreview({ draft }: { draft: Draft }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [edited, setEdited] = useState<Record<string, unknown>>({});
  const states = draft.states.filter((state) => state.kind !== 'end' && state.kind !== 'condition');
  const state = states.find((one) => one.id === chosen) ?? states.find((one) => one.kind === 'start');
  const items = draft.fields.flatMap((field, index) => {
    const right = state && rightIn(state, field);
    if (!right || right.access === fieldAccess.hidden) return [];
    return fieldItem(field, index + 1, right, field.default_value ?? (field.template || null), '');
  });
  const works = useWorks(items);
  // The design may be saved whatever is typed into the preview.
  const { hold } = useHeld();
  return (
    <section className="kit-panel kit-stack" aria-label="预览">
      <div className="kit-row">
        <strong>预览</strong>
        <Select
          aria-label="预览哪个环节"
          className="designer-half"
          options={states.map((one) => ({ value: one.id, label: `${one.name}看到的` }))}
          value={state?.id}
          onChange={setChosen}
        />
      </div>
      {items.length === 0 ? (
        <EmptyState why="这个环节看不到任何字段" />
      ) : (
        <HoldContext value={hold}>
          <TicketFields
            items={settledItems(items, edited, works)}
            edited={edited}
            errors={[]}
            onEdit={(key, value) => setEdited({ ...edited, [key]: value })}
          />
        </HoldContext>
      )}
    </section>
  );
}
