import type { ComponentProps } from 'react';
import type { Detail } from '../../contract/shapes.ts';
import { Choose, type Chosen } from '../fields/Choose.tsx';
import { TicketFacts, TicketFields } from '#modules/workflow/workflows/widgets.tsx';

interface Props {
  ticket: Detail;
  /** The properties of its fields; `changed` are those others changed since I last looked. */
  writing: Omit<ComponentProps<typeof TicketFields>, 'items'>;
}

/** The form of a ticket: read-only fields first, then writable ones, then the people I choose for later states. */
export function HandlingForm({ ticket, writing }: Props) {
  const { edited, errors, disabled = false } = writing;
  const own = ticket.field_list.filter((item) => !item.by_record);
  const writable = own.filter((item) => item.field_attribute !== 1);
  const readable = own.filter((item) => item.field_attribute === 1);
  return (
    <>
      {readable.length > 0 && (
        <section className="kit-panel" aria-label="内容">
          <TicketFacts items={readable} changed={writing.changed} />
        </section>
      )}
      {(writable.length > 0 || ticket.choose.length > 0) && (
        <section className="kit-panel" aria-label="填写">
          <TicketFields items={writable} workflow={ticket.workflow_info.workflow_id} {...writing} />
          <Choose
            states={ticket.choose}
            value={(edited['choose'] as Chosen | undefined) ?? {}}
            errors={errors}
            disabled={disabled}
            onChange={(next) => writing.onEdit('choose', next)}
          />
        </section>
      )}
    </>
  );
}
