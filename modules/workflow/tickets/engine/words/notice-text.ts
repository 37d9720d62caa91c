import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { filled, isPlainText, isShownToAll, placeholdersOf } from '#modules/workflow/workflows/engine/templates.ts';
import { shownValue, namedIn, type Names } from '../fields.ts';
import type { TicketState } from '../state.ts';

const longest = 1000;

/** Values that a workflow's notices may name besides fields. */
export interface About {
  sn: string;
  creator: string;
  /** Name of the state it is in. */
  state: string;
  /** `YYYY-MM-DD HH:mm:ss`. */
  gmt_created: string;
  /** The names found for `peopleInNotice`. */
  names: Names;
}

const saidField = (definition: Definition, key: string) => {
  const field = definition.fields.find((one) => one.key === key);
  return field && isPlainText(field) && isShownToAll(definition, key) ? field : undefined;
};

/** User names in the fields that a workflow's notice about a ticket contains. */
export function peopleInNotice(definition: Definition, { form }: Pick<TicketState, 'form'>): string[] {
  return placeholdersOf(definition.settings.content_template).flatMap((key) => {
    const field = saidField(definition, key);
    return field ? namedIn(field, form[key]) : [];
  });
}

/**
 * The text of a workflow's notice about a ticket: plain text, only with fields that every viewer of the ticket sees. Empty if the workflow has no
 * text, or only the title.
 */
export function noticeText(definition: Definition, ticket: Pick<TicketState, 'title' | 'form'>, about: About): string {
  const wordsFor = (key: string) => {
    if (key === 'title') return ticket.title;
    if (key === 'workflow') return definition.name;
    if (key === 'sn' || key === 'creator' || key === 'state' || key === 'gmt_created') return about[key];
    const field = saidField(definition, key);
    return field ? shownValue(field, ticket.form[key], about.names) : '';
  };
  const lines = filled(definition.settings.content_template, (key) => oneLine(wordsFor(key))).split('\n');
  const text = lines.map(oneLine).filter(Boolean).join('\n');
  return text === ticket.title ? '' : [...text].slice(0, longest).join('');
}

/** Multi-line or invisible characters in a value cannot imitate lines of the notice itself. */
const oneLine = (text: string) => text.replace(/[\p{C}\s]+/gu, ' ').trim();
