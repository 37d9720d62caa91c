import { cutTo } from '#kernel/contract/words/cut.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import type { Finding } from '../contract/layout.ts';
import type { Party } from '../contract/shapes.ts';

/** The input of the checker. */
export interface Checked {
  doc_kind: number;
  doc_type: number;
  title: string;
  doc_number: string;
  from_number: string;
  issue_org: string;
  joint_orgs: readonly string[];
  joint_issuers: readonly string[];
  main_send: readonly Party[];
  copy_send: readonly Party[];
  body_html: string;
  /** True if the body is a file, so that there is no text to check. */
  bodyIsFile: boolean;
  attachments: readonly string[];
  annotation: string;
  contact_name: string;
  contact_phone: string;
  upward: boolean;
  hasIssuer: boolean;
  signed: boolean;
  written_date: string | null;
  print_org: string;
  print_date: string | null;
  /** Characters missing in all fonts, with their place. */
  unprintable: readonly FieldError[];
  /** Words in a report that suggest a request. */
  asking: readonly string[];
  /** Today in the organisation's time zone, `YYYY-MM-DD`. */
  today: string;
}

/** The same with its body parsed once for all checks of the text. */
export interface Read extends Checked {
  /** The text of each paragraph outside of tables. */
  paragraphs: readonly string[];
  /** The text of the whole body including tables, line by line. */
  lines: readonly string[];
}

/** Fields with automatic fixes, with their names on the wire. */
export const mendable = {
  title: 'title',
  from_number: 'from_number',
  main_send: 'main_send',
  copy_send: 'copy_send',
  body_html: 'body_html',
  annotation: 'annotation',
  print_org: 'print_org',
  print_date: 'print_date',
} as const satisfies Record<string, keyof Checked>;
export type Mendable = keyof typeof mendable;
export type Value = string | readonly Party[] | null;

/** A finding before it is sent; `mend` returns the corrected value of its field. */
export interface Found extends Omit<Finding, 'mendable'> {
  mend?: (value: Value) => Value;
}
export type Check = (doc: Read) => Iterable<Found>;

/** The place of a finding: in words, and its field. */
export type At = readonly [place: string, field: string];
const finding =
  (severity: Found['severity']) =>
  (code: string, [place, field]: At, msg: string, mend?: Found['mend']): Found => ({
    code,
    severity,
    place,
    field,
    msg,
    ...(mend && { mend }),
  });
export const error = finding('error');
export const warning = finding('warning');
/** Makes a fix for a text. */
export const onText = (change: (text: string) => string) => (value: Value) =>
  typeof value === 'string' ? change(value) : value;
/** Makes a fix for a list of addressees. */
export const onParties = (change: (parties: readonly Party[]) => readonly Party[]) => (value: Value) =>
  Array.isArray(value) ? change(value as Party[]) : value;

const first = /(<(?:p|h[2-5]|li|td|th)(?: [^>]*)?>(?:<(?:strong|em|u|s)>)*)([^<]+)/g;
const inside = />([^<]+)</g;

/** Changes the text at the start of each paragraph. */
export function mapBeginnings(html: string, change: (text: string, index: number) => string): string {
  let index = 0;
  return html.replace(first, (_whole, open: string, text: string) => open + change(text, index++));
}
/** Changes all text and leaves the markup. */
export const mapText = (html: string, change: (text: string) => string): string =>
  html.replace(inside, (_whole, text: string) => `>${change(text)}<`);

/** Shortens a citation to fit a line of the report. */
export const cited = (text: string) => cutTo(text, 25);
