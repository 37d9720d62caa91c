import { boolean, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core';
import { fileTable } from '#modules/platform/files/tables.ts';
import { contractTemplateVersionTable } from './categories.ts';

/** What a contract's own row knows of its text; the table of contracts spreads it. */
export const textColumns = () => ({
  /** 1 from a template, 2 written here, 3 an uploaded file. */
  text_mode: smallint('text_mode').notNull().default(2),
  /** The version of the template it is written from. */
  template_version_id: integer('template_version_id').references(() => contractTemplateVersionTable.id),
  /** Its words, with the variables of the template as elements. */
  content: text('content').notNull().default(''),
  /** What was filled in for the variables, by their keys. */
  text_values: jsonb('text_values').$type<Record<string, string>>().notNull().default({}),
  file: integer('file_id').references(() => fileTable.id),
  /** The text that was frozen last; 0 before the first. */
  text_version: integer('text_version').notNull().default(0),
  /** A template's text, untouched. */
  is_standard_text: boolean('is_standard_text').notNull().default(false),
});
