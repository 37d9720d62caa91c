import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { fieldAccess } from '../../engine/codes.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { rightIn } from '../../engine/fields/rights.ts';
import { settledItems } from '../../engine/fields/settled-items.ts';
import type { Draft } from '../designer/state/draft.ts';
import { TicketFields } from '../fields/TicketFields.tsx';
import { useWorks } from '../fields/useWorks.ts';

interface Props {
  workflow: number;
  draft: Draft;
  value?: Record<string, unknown>;
  onChange?: (value: Record<string, unknown>) => void;
  disabled?: boolean;
}

/** A schedule's values for the form of its tickets. */
export function StartValues({ workflow, draft, value = {}, onChange, disabled }: Props) {
  const start = draft.states.find((state) => state.kind === 'start');
  const items = draft.fields.flatMap((field, index) => {
    const right = start && rightIn(start, field);
    if (!right || right.access === fieldAccess.hidden) return [];
    return fieldItem(field, index + 1, right, field.default_value ?? (field.template || null), '');
  });
  const works = useWorks(items);
  if (items.length === 0) return <EmptyState why="发起时没有要填的字段" />;
  return (
    <TicketFields
      items={settledItems(items, value, works)}
      edited={value}
      errors={[]}
      workflow={workflow}
      disabled={disabled ?? false}
      onEdit={(key, next) => onChange?.({ ...value, [key]: next })}
    />
  );
}
