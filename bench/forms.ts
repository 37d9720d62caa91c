import { outing } from '#modules/workflow/tickets/testing/outing.ts';
import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { fieldItem } from '#modules/workflow/workflows/engine/field-item.ts';
import { openColumns } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { settledItems } from '#modules/workflow/workflows/engine/fields/settled-items.ts';
import { answered, personId, starter } from './calls.ts';
import { shown, type Table } from './report.ts';
import type { Stage } from './stage.ts';

const openMs = 300;
/** Beyond this time a typed letter visibly lags. */
const typeMs = 100;
const most = 2000;
const [submit, agree] = [1, 2];

const costsOf = (count: number) =>
  Array.from({ length: count }, (_none, at) => ({ what: `第 ${at + 1} 次往返`, price: 30, count: at + 1 }));

/** The computations of the page after each change while a person types in such a form. */
async function typing(definition: DefinitionInput, times: number, timed: (work: () => void) => Promise<void>) {
  const { fields } = Definition.parse(definition);
  const items = fields.map((field, order) =>
    fieldItem(field, order, { access: fieldAccess.optional, columns: openColumns(field) }, null, ''),
  );
  const [first, ...rest] = costsOf(most);
  for (let turn = 0; turn < times; turn++)
    await timed(() => void settledItems(items, { costs: [{ ...first, count: turn + 2 }, ...rest] }));
}

/** Measures a form with a table of so many rows, sent, opened by the next handler and decided, beside the same form with one row. */
export async function measureForms(stage: Stage, times: number): Promise<Table> {
  const admin = await stage.signIn('admin');
  const token = await stage.signIn(starter);
  const ask = async <T>(path: string, method: string, body?: unknown, who = admin) =>
    (await answered(stage.url + path, who, method, body)).data as T;
  const definition = outing([{ type: 1, user: await personId(stage, 'admin') }]);
  const { id: workflow_id } = await ask<{ id: number }>('/api/workflows/', 'POST', { name: definition.name });
  await ask(`/api/workflows/${workflow_id}/`, 'PATCH', { definition });
  await ask(`/api/workflows/${workflow_id}/publish/`, 'POST', {});

  const taken = new Map<string, number[]>();
  const time = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    taken.set(name, [...(taken.get(name) ?? []), performance.now() - started]);
    return result;
  };
  const round = async (count: number) => {
    const named = (what: string) => `${what}（${shown(count)} 行）`;
    const costs = costsOf(count);
    const body = { workflow_id, transition_id: submit, subject: '参会', costs };
    const { id } = await time(named('发起'), () => ask<{ id: number }>('/api/tickets/', 'POST', body, token));
    await time(named('打开'), () => ask(`/api/tickets/${id}/`, 'GET'));
    await time(named('处理'), () => ask(`/api/tickets/${id}/`, 'PATCH', { transition_id: agree, suggestion: '同意' }));
  };
  for (let warming = 0; warming < 5; warming++) await round(most);
  taken.clear();
  for (let turn = 0; turn < times; turn++) for (const count of [1, most]) await round(count);
  await typing(definition, times, (work) =>
    time(`改一格后重算（${shown(most)} 行，浏览器里的同一段程序）`, async () => work()),
  );
  const at = (name: string, share: number) => {
    const all = taken.get(name)!.toSorted((a, b) => a - b);
    return shown(all[Math.min(all.length - 1, Math.floor(all.length * share))]!);
  };
  return {
    name: 'forms',
    title: '大表单',
    about: `带 ${shown(most)} 行明细的表单，一个连接轮流请求，旁边是只有一行的同一表单。目标：打开 p95 不超过 ${openMs} ms，改一格后重算不超过 ${typeMs} ms。`,
    columns: ['调用', 'p50 ms', 'p95 ms'],
    rows: [...taken.keys()].map((name) => [name, at(name, 0.5), at(name, 0.95)]),
  };
}
