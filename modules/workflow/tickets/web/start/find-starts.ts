import { send } from '#kernel/web/client.ts';
import type { Finder, Found } from '#kernel/web/registry.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';

const asking = /^(?:我要|发起|申请|新建)+\s*/;
const most = 6;

/** Finds what may be started by its name, with or without 发起 before it: workflows, and the forms of modules. */
const findStarts: Finder = async (text, signal, { codesAt, starts }) => {
  const words = text.trim().replace(asking, '').trim();
  if (words === '') return [];
  // The dictionary is large: fetched only for input in letters.
  const spelt = /^[a-z ]{2,}$/i.test(words) ? (await import('#kernel/web/kit/find/spelling.ts')).spelt : undefined;
  const finds = (name: string) => name.includes(words) || (spelt?.(name, words.toLowerCase()) ?? false);
  const query = spelt ? { per_page: 100 } : { search_value: words.slice(0, 100), per_page: 20 };
  const [flows, ...forms] = await Promise.all([
    codesAt('/ticket/new').includes('Create')
      ? send(workflows.list, { query }, { signal, quiet: true }).then(({ value }) => value)
      : [],
    ...starts.map((load) => load().then((module) => module.default)),
  ]);
  const ofModules = forms
    .flat()
    .filter(({ name, page, code = 'Create' }) => finds(name) && codesAt(page).includes(code))
    .map(({ key, name, category, to }): Found => ({
      key: `start-${key}`,
      title: `发起 ${name}`,
      hint: category,
      act: true,
      to,
    }));
  const ofFlows = flows
    .filter(({ module, why_not, name }) => module === null && why_not === '' && finds(name))
    .map(({ id, name, category }): Found => ({
      key: `start-flow-${id}`,
      title: `发起 ${name}`,
      hint: category || '工单',
      act: true,
      to: `/ticket/new?workflow=${id}`,
    }));
  return [...ofModules, ...ofFlows].slice(0, most);
};
export default findStarts;
