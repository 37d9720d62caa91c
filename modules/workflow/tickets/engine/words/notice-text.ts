import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { filled, isPlainText, isShownToAll, placeholdersOf } from '#modules/workflow/workflows/engine/templates.ts';
import { shownValue, namedIn, type Names } from '../fields.ts';
import type { TicketState } from '../state.ts';

const longest = 1000;

/** What the content of a workflow's notices names besides fields. */
export interface About {
  sn: string;
  creator: string;
  /** Name of the state it is in. */
  state: string;
  /** `YYYY-MM-DD HH:mm:ss`. */
  gmt_created: string;
  /** Of `peopleInNotice`. */
  names: Names;
}

const saidField = (definition: Definition, key: string) => {
  const field = definition.fields.find((one) => one.key === key);
  return field && isPlainText(field) && isShownToAll(definition, key) ? field : undefined;
};

/** User names of those a workflow's notice about a ticket names by its fields. */
export function peopleInNotice(definition: Definition, { form }: Pick<TicketState, 'form'>): string[] {
  return placeholdersOf(definition.settings.content_template).flatMap((key) => {
    const field = saidField(definition, key);
    return field ? namedIn(field, form[key]) : [];
  });
}

/**
 * What a workflow says of a ticket in its notices: plain text, of fields only those that whoever may look at the ticket sees. Empty
 * where the workflow says nothing, or no more than the title.
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

/** What was typed as several lines, or holds characters nobody sees, cannot pass for lines of the notice itself. */
const oneLine = (text: string) => text.replace(/[\p{C}\s]+/gu, ' ').trim();
