import type { Definition, Field } from '../definition.ts';

/** Values a printed sheet may name besides the form's fields. */
export const printedBesides = {
  workflow: '流程名称',
  sn: '流水号',
  title: '标题',
  state: '状态',
  creator: '发起人',
  dept: '发起人部门',
  gmt_created: '发起时间',
  opinions: '全部意见',
} as const;

const variable = /data-variable="([^"]*)"/g;

/** Keys that a template names, each once. */
export const printedKeys = (template: string): string[] => [
  ...new Set(Array.from(template.matchAll(variable), ([, key = '']) => key)),
];

/** Keys in a template that do not exist. */
export function unknownPrinted({ settings, fields }: Pick<Definition, 'settings' | 'fields'>): string[] {
  const known = new Set([...Object.keys(printedBesides), ...fields.map(({ key }) => key)]);
  return printedKeys(settings.print_template ?? '').filter((key) => !known.has(key));
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const named = (key: string) => `<span data-variable="${key}"></span>`;

/** An initial template: a heading, creator and time, a row for each field, then the opinions. */
export function usualTemplate(fields: readonly Pick<Field, 'key' | 'name'>[]): string {
  const row = (name: string, key: string) => `<tr><th><p>${escaped(name)}</p></th><td><p>${named(key)}</p></td></tr>`;
  const rows = [
    row('发起人', 'creator'),
    row('发起时间', 'gmt_created'),
    ...fields.map(({ key, name }) => row(name, key)),
    row('审批意见', 'opinions'),
  ];
  return [
    `<h2 style="text-align:center">${named('workflow')}</h2>`,
    `<p>流水号：${named('sn')}</p>`,
    `<table><tbody>${rows.join('')}</tbody></table>`,
  ].join('');
}

/** The same template with other field keys. */
export const renamedTemplate = (template: string, rename: (key: string) => string): string =>
  template.replace(variable, (_whole, key: string) => `data-variable="${rename(key)}"`);
