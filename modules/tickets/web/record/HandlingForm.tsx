import type { FieldError } from '#kernel/contract/refusal.ts';
import type { Detail } from '../../contract/shapes.ts';
import { Choose, type Chosen } from '../fields/Choose.tsx';
import { TicketFacts, TicketFields } from '#modules/workflows/widgets.tsx';

interface Props {
  ticket: Detail;
  /** Keys of fields others changed since I last looked. */
  changed: ReadonlySet<string>;
  edited: Readonly<Record<string, unknown>>;
  errors: readonly FieldError[];
  disabled: boolean;
  onEdit: (key: string, value: unknown) => void;
  onWait: (key: string, waits: boolean) => void;
}

/** The form of a ticket: what I may only read first, then what I may write, then whom I pick for the next states. */
export function HandlingForm({ ticket, changed, edited, errors, disabled, onEdit, onWait }: Props) {
  const own = ticket.field_list.filter((item) => !item.by_record);
  const writable = own.filter((item) => item.field_attribute !== 1);
  const readable = own.filter((item) => item.field_attribute === 1);
  return (
    <>
      {readable.length > 0 && (
        <section className="kit-panel" aria-label="内容">
          <TicketFacts items={readable} changed={changed} />
        </section>
      )}
      {(writable.length > 0 || ticket.choose.length > 0) && (
        <section className="kit-panel" aria-label="填写">
          <TicketFields
            items={writable}
            changed={changed}
            edited={edited}
            errors={errors}
            disabled={disabled}
            onWait={onWait}
            onEdit={onEdit}
          />
          <Choose
            states={ticket.choose}
            value={(edited['choose'] as Chosen | undefined) ?? {}}
            errors={errors}
            disabled={disabled}
            onChange={(next) => onEdit('choose', next)}
          />
        </section>
      )}
    </>
  );
}
