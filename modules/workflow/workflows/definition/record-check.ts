import type { Db } from '#kernel/server/db/db.ts';
import { at, whole, type Problem } from '../engine/check/problem.ts';
import { fieldAccess } from '../engine/codes.ts';
import { startOf, type Definition } from '../engine/definition.ts';
import { completing, mayMean, meant, type Meaning } from '../engine/meanings.ts';
import type { BoundFlow, BoundModule } from '../running.ts';

/** The modules whose records workflows decide. */
export const businessModules = (tx: Db): [string, BoundModule][] => Object.entries(tx.services.product.records);
export function businessModule(tx: Db, name: string): BoundModule | undefined {
  const { records } = tx.services.product;
  return Object.hasOwn(records, name) ? records[name] : undefined;
}

/** Meanings that the states of a workflow may have: to every workflow, and to the module whose records it decides. */
export const meaningsOf = (tx: Db, module: string | null): readonly Meaning[] => [
  ...((module && businessModule(tx, module)?.meanings) || []),
  completing,
];

/** The name of a module's records; empty for plain tickets. */
export const moduleName = (tx: Db, module: string | null): string =>
  module === null ? '' : (businessModule(tx, module)?.name ?? module);

/** The parts of its module that start a workflow, in words. */
export const usesOf = async (tx: Db, { module, ...flow }: BoundFlow & { module: string | null }): Promise<string[]> =>
  (module && (await businessModule(tx, module)?.uses(tx, flow))) || [];

/** Problems that keep a definition from deciding the records of its workflow's module. */
export async function recordProblems(
  tx: Db,
  flow: BoundFlow & { module: string | null },
  definition: Definition,
): Promise<Problem[]> {
  const found = meaningsOf(tx, flow.module).flatMap((meaning) => meaningProblems(meaning, definition));
  if (flow.module === null || found.length > 0) return found;
  const module = businessModule(tx, flow.module);
  if (!module) return [];
  return [
    ...keptProblems(module, definition),
    ...startProblems(module, definition),
    ...askedProblems(module, definition),
    ...((await module.problems?.(tx, flow, definition)) ?? []),
  ];
}

function meaningProblems(meaning: Meaning, { states }: Definition): Problem[] {
  return states.flatMap((state) => {
    const value = meant(state, meaning);
    if (value === null) return [];
    const name = Object.hasOwn(meaning.values, value) ? meaning.values[value] : undefined;
    const is = `环节“${state.name}”的“${meaning.title}”是“${name ?? value}”`;
    if (name === undefined) return [at(state, `${is}，没有这个含义，请重新选择`)];
    return mayMean(state) ? [] : [at(state, `${is}，但只有审批和办理环节能有这个含义；请改环节的类型，或去掉这个含义`)];
  });
}

/** Agreements are about the record, not the form: if its module does not provide the content, nobody can tell whether it is unchanged. */
function keptProblems({ name, content }: BoundModule, { states }: Definition): Problem[] {
  return (content ? [] : states)
    .filter((state) => state.keep_unchanged)
    .map((state) =>
      at(
        state,
        `环节“${state.name}”设置了内容没有变化时沿用原来的意见，${name}的内容不在表单里，无法判断，请去掉这一项`,
      ),
    );
}

/** The pages of records have no question about another one with the same content, and belong to whoever registers them. */
function askedProblems({ name }: BoundModule, { settings }: Definition): Problem[] {
  const { doubles, start_for = [] } = settings;
  return [
    ...(doubles?.rule === 'ask'
      ? [whole(`${name}由自己的页面提交，提交时查重不能先询问，请改为不允许提交，或去掉查重`)]
      : []),
    ...(start_for.length > 0 ? [whole(`${name}由自己的页面提交，不能代他人发起，请去掉代他人发起的规则`)] : []),
  ];
}

/** The record's page fills in the start of its workflow: any other required field there would keep every record from being sent. */
function startProblems({ name, fills }: { name: string; fills: readonly string[] }, definition: Definition): Problem[] {
  const start = startOf(definition);
  const found = definition.fields
    .filter(({ key }) => start.access[key] === fieldAccess.required && !fills.includes(key))
    .map((field) =>
      at(
        start,
        `环节“${start.name}”要求填写“${field.name}”，${name}没有这一项，提交不了；请改成可填，或让后面的环节填写`,
      ),
    );
  const writable: unknown[] = [fieldAccess.required, fieldAccess.optional];
  return writable.includes(start.access['title'])
    ? found
    : [
        ...found,
        at(start, `环节“${start.name}”不能填写标题，${name}的标题到不了工单；请让它可以填写标识为 title 的字段`),
      ];
}
