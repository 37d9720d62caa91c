import { fieldAccess, fieldType, isFileType, isShownOnly } from './codes.ts';
import type { Definition, Field, State } from './definition.ts';

/** Names that titles may contain besides fields, and names that notices may contain. */
export const namedInTitles: readonly string[] = ['creator', 'workflow'];
export const namedInNotices: readonly string[] = ['title', 'sn', 'creator', 'workflow', 'state', 'gmt_created'];

const placeholder = /\{([^{}\s]{1,50})\}/g;

/** The names in braces, each once. */
export function placeholdersOf(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(placeholder), ([, name = '']) => name))];
}

/** Replaces each name in braces. */
export function filled(template: string, wordsFor: (name: string) => string): string {
  return template.replace(placeholder, (_whole, name: string) => wordsFor(name));
}

/** Names in the content of notices that do not exist. */
export function unknownInNotices({ settings, fields }: Definition): string[] {
  return placeholdersOf(settings.content_template).filter(
    (name) => !namedInNotices.includes(name) && !fields.some((field) => field.key === name),
  );
}

/** A state that hides a field from its people; undefined if none does. */
export function hiddenIn({ states }: Definition, key: string): State | undefined {
  return states.find(({ access }) => Object.hasOwn(access, key) && access[key] === fieldAccess.hidden);
}

/** True if every viewer of a ticket sees a field. */
export function isShownToAll(definition: Definition, key: string): boolean {
  return definition.settings.display_form.includes(key) && !hiddenIn(definition, key);
}

/** True if a value fits into a line of text. */
export function isPlainText({ type }: Field): boolean {
  const told = [fieldType.richtext, fieldType.table, fieldType.records] as readonly number[];
  return !told.includes(type) && !isFileType(type) && !isShownOnly(type);
}
