import { cutTo } from '#kernel/contract/words/cut.ts';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { lightPages } from '#kernel/server/text/light-page.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { begunText } from '../contract/begun.ts';
import type { Detail } from '../contract/shapes.ts';
import { needsWords } from '../engine/ways/buttons.ts';
import type { Choice } from './card.ts';

const draw = lightPages(`
dl{display:grid;grid-template-columns:minmax(5rem,max-content) 1fr;gap:4px 16px;margin:0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{border:1px solid var(--line);padding:4px 8px;text-align:left}div.wide{overflow-x:auto}
textarea{width:100%;min-height:96px;font:inherit;padding:8px;border:1px solid var(--line);border-radius:8px;background:var(--card);color:var(--text)}
label{display:block;margin-bottom:4px}.ways{display:flex;flex-wrap:wrap;gap:12px;margin-top:12px}
button.other{background:var(--card);color:var(--main);border:1px solid var(--main)}a{color:var(--main)}`);

const longest = 500;
const mostRows = 20;
const cut = (text: string) => cutTo(text, longest);

/** A link for people who want to see more of a ticket or have to sign in. */
const wayIn = (ticket: number, label: string) => `<p><a href="/ticket/detail/${ticket}">${label}</a></p>`;

/** A page that shows a state of affairs; with a link to the ticket if the card is valid. */
export function saying(
  site: string,
  { title, said, ticket, status = 200 }: { title: string; said: string; ticket?: number; status?: number },
): FileReply {
  const way = ticket === undefined ? '' : wayIn(ticket, '登录系统查看');
  const content = `<section><h1>${asMarkup(title)}</h1><p role="status">${asMarkup(said)}</p>${way}</section>`;
  return draw(site, title, content, { status });
}

interface Shown {
  detail: Detail;
  /** Name of the person in whose name it is decided. */
  alias: string;
  choices: readonly Choice[];
  /** The button that was tapped. */
  tapped: number | undefined;
  /** A warning to read first. */
  warning: string;
  suggestion: string;
}

/** A summary of a ticket as its person sees it, with the buttons that decide. */
export function deciding(site: string, { detail, alias, choices, tapped, warning, suggestion }: Shown): FileReply {
  const { id, sn, title, workflow_info, state_info, why_me, seen_hash } = detail;
  const first = choices.find(({ transition }) => transition.id === tapped) ?? choices[0]!;
  const inOrder = [first, ...choices.filter((one) => one !== first)];
  const buttons = inOrder.map(
    ({ transition }) =>
      `<button type="submit" name="transition_id" value="${transition.id}"${transition === first.transition ? '' : ' class="other"'}>${asMarkup(transition.name)}</button>`,
  );
  const needing = inOrder.filter(({ transition }) => needsWords(transition)).map(({ transition }) => transition.name);
  const note = needing.length > 0 ? `（${needing.map((name) => `“${name}”`).join('、')}须填写）` : '';
  const content = `
<section><h1>${asMarkup(title)}</h1><p class="muted">${asMarkup(`${sn} · ${workflow_info.workflow_name} · ${state_info.name}`)}</p>
<p class="muted">${asMarkup(begunText(detail))}${why_me ? `<br>${asMarkup(why_me)}` : ''}</p></section>
${warning ? `<section><p class="s0" role="alert">${asMarkup(warning)}</p></section>` : ''}
<section>${fieldsOf(detail)}${wayIn(id, '登录系统查看全部内容')}</section>
<section><form method="post"><input type="hidden" name="seen_hash" value="${asMarkup(seen_hash)}">
<label for="words">意见${asMarkup(note)}</label><textarea id="words" name="suggestion" maxlength="2000">${asMarkup(suggestion)}</textarea>
<p class="muted">${asMarkup(`将以 ${alias} 的名义办理，只能办理一次。`)}</p><div class="ways">${buttons.join('')}</div></form></section>`;
  return draw(site, title, content);
}

function fieldsOf({ field_list }: Detail): string {
  const rows = field_list
    .filter((field) => field.field_type_id !== fieldType.note)
    .map(
      (field) => `<dt>${asMarkup(field.field_name)}</dt><dd>${valueOf(field) || '<span class="muted">—</span>'}</dd>`,
    );
  return rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '';
}

type Field = Detail['field_list'][number];

function valueOf(field: Field): string {
  const { field_type_id: type, field_value: value, field_display: display } = field;
  if (type === fieldType.richtext) return asMarkup(cut(textOf(typeof value === 'string' ? value : '')));
  if (field.field_files.length > 0 && type !== fieldType.table)
    return asMarkup(field.field_files.map((file) => file.name).join('、'));
  if (field.field_records) return asMarkup(field.field_records.map((record) => record.title).join('、'));
  if (field.field_opinions)
    return asMarkup(
      field.field_opinions
        .map(({ who, did, words, files }) =>
          [who, did, words, ...files.map(({ name }) => name)].filter(Boolean).join(' '),
        )
        .join('\n'),
    );
  if (type === fieldType.table && Array.isArray(value)) return tableOf(field, value as Record<string, unknown>[]);
  return asMarkup(cut(display));
}

function tableOf({ columns, field_people }: Field, rows: readonly Record<string, unknown>[]): string {
  const cell = (value: unknown): string =>
    [value ?? []]
      .flat()
      .map((one) => (typeof one === 'string' ? (field_people[one] ?? one) : typeof one === 'object' ? '' : String(one)))
      .join('、');
  const head = columns.map((column) => `<th scope="col">${asMarkup(column.field_name)}</th>`).join('');
  const body = rows
    .slice(0, mostRows)
    .map((row) => {
      const cells = columns.map(
        ({ field_key: key, field_choice: names }) =>
          `<td>${asMarkup(cut(names[String(row[key])] ?? cell(row[key])))}</td>`,
      );
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('');
  const more = rows.length > mostRows ? `<p class="muted">共 ${rows.length} 行，登录后查看其余</p>` : '';
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${more}`;
}
