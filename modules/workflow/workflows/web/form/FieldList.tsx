import { HolderOutlined } from '@ant-design/icons';
import { useState, type KeyboardEvent } from 'react';
import type { Field } from '../../engine/definition.ts';
import { fieldTypeNames } from '../words.ts';

interface Props {
  fields: readonly Pick<Field, 'key' | 'name' | 'type' | 'id'>[];
  open: number | null;
  /** Keys of fields with problems. */
  wrong: ReadonlySet<string | null>;
  onOpen: (id: number) => void;
  onMove: (from: number, to: number) => void;
}

/** The fields in the form's order; dragged, or moved with Alt and the arrow keys. */
export function FieldList({ fields, open, wrong, onOpen, onMove }: Props) {
  const [dragged, setDragged] = useState<number | null>(null);
  const press = (event: KeyboardEvent, index: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const to = index + step;
    if (event.altKey) onMove(index, to);
    else
      (
        event.currentTarget.closest('ul')?.children[to]?.querySelector('button') as HTMLElement | null | undefined
      )?.focus();
  };
  return (
    <ul className="form-fields" aria-label="表单字段，按住 Alt 和上下方向键调整顺序">
      {fields.map((field, index) => (
        <li
          key={field.id}
          draggable
          onDragStart={() => setDragged(index)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={() => dragged !== null && onMove(dragged, index)}
        >
          <button
            type="button"
            aria-pressed={field.id === open}
            onClick={() => onOpen(field.id)}
            onKeyDown={(event) => press(event, index)}
          >
            <HolderOutlined aria-hidden="true" />
            <span className="kit-grow">{field.name}</span>
            {wrong.has(field.key) && <span className="designer-wrong">有问题</span>}
            <small className="kit-muted">{fieldTypeNames[field.type]}</small>
          </button>
        </li>
      ))}
    </ul>
  );
}
