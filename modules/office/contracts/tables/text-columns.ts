import { boolean, integer, jsonb, smallint, text } from 'drizzle-orm/pg-core';
import { fileTable } from '#modules/platform/files/tables.ts';
import { contractTemplateVersionTable } from './categories.ts';

/** The columns of a contract's row that concern its text; part of the table of contracts. */
export const textColumns = () => ({
  /** 1 from a template, 2 written here, 3 an uploaded file. */
  text_mode: smallint('text_mode').notNull().default(2),
  /** The template version it is written from. */
  template_version_id: integer('template_version_id').references(() => contractTemplateVersionTable.id),
  /** Its text, with the template's variables as elements. */
  content: text('content').notNull().default(''),
  /** The entered values of variables, by key. */
  text_values: jsonb('text_values').$type<Record<string, string>>().notNull().default({}),
  file: integer('file_id').references(() => fileTable.id),
  /** The number of the latest frozen text; 0 before the first. */
  text_version: integer('text_version').notNull().default(0),
  /** True for a template's text without changes. */
  is_standard_text: boolean('is_standard_text').notNull().default(false),
});
