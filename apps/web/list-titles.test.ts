import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { core } from 'zod';
import { expect, test } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { headingOf, shortTitleOf, titleOf } from '#kernel/contract/titles.ts';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';

type Schema = core.$ZodType;
const root = join(import.meta.dirname, '../..');
/** Shows the rows of any call that it is given. */
const ofAnyCall = 'modules/workflow/records/web/NumberBook.tsx';
const pages = globSync('{modules/*/*/web,apps/web}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => file !== ofAnyCall && !/\.test\.tsx?$|\/(?:testing|showcase)\//.test(file),
);
const read = (file: string) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
const han = /\p{Script=Han}/u;

function* nodesIn(node: ts.Node): Generator<ts.Node> {
  yield node;
  const below: ts.Node[] = [];
  ts.forEachChild(node, (child) => void below.push(child));
  for (const child of below) yield* nodesIn(child);
}
const load = (from: string, path: string) =>
  import(path.startsWith('#') ? join(root, path.slice(1)) : join(root, dirname(from), path)) as Promise<
    Record<string, unknown>
  >;

/** Evaluates an expression of a page, if it names something from a contract. */
async function valueOf(file: string, source: ts.SourceFile, said: ts.Expression): Promise<unknown> {
  const inner = (one: ts.Expression) => valueOf(file, source, one);
  if (ts.isNonNullExpression(said) || ts.isParenthesizedExpression(said)) return inner(said.expression);
  if (ts.isPropertyAccessExpression(said))
    return ((await inner(said.expression)) as Record<string, unknown> | undefined)?.[said.name.text];
  if (ts.isCallExpression(said) && said.expression.getText() === 'rowOf') {
    const list = await inner(said.arguments[0]!);
    return list && rowOf(list as never);
  }
  if (ts.isCallExpression(said) && ts.isPropertyAccessExpression(said.expression)) {
    const { expression, name } = said.expression;
    const one = (await inner(expression)) as { unwrap(): unknown } | undefined;
    return name.text === 'unwrap' ? one?.unwrap() : name.text === 'omit' ? one : undefined;
  }
  if (!ts.isIdentifier(said)) return undefined;
  for (const node of nodesIn(source)) {
    if (ts.isVariableDeclaration(node) && node.name.getText() === said.text && node.initializer)
      return inner(node.initializer);
    if (!ts.isImportSpecifier(node) || node.name.text !== said.text) continue;
    const { moduleSpecifier } = node.parent.parent.parent as ts.ImportDeclaration;
    return (await load(file, (moduleSpecifier as ts.StringLiteral).text))[(node.propertyName ?? node.name).text];
  }
  return undefined;
}

/** The columns and facts that a page derives from a row, in any of the three ways, each with the schema that titles its fields otherwise. */
async function madeIn(file: string, source: ts.SourceFile) {
  // A page may have a function of its own with this name.
  const makers = ['listColumns', 'tableColumns', 'factsOf'].filter((name) =>
    new RegExp(`import [^;]*\\b${name}\\b[^;]* from '#kernel/`).test(source.text),
  );
  const made: { key: string; schema: Schema | undefined }[] = [];
  const unknown: string[] = [];
  for (const node of nodesIn(source)) {
    if (!ts.isCallExpression(node) || !makers.includes(node.expression.getText())) continue;
    const [row, columns, form] = node.arguments;
    const schema = row && ((await valueOf(file, source, row)) as Schema | undefined);
    if (!schema || !columns || !ts.isObjectLiteralExpression(columns)) {
      unknown.push(`${file}: ${row?.getText()}`);
      continue;
    }
    const shape = {
      ...shapeOf(schema),
      ...(form && ((await valueOf(file, source, form)) as Record<string, Schema>)),
    };
    for (const one of columns.properties) {
      if (!one.name || !ts.isIdentifier(one.name) || /\bheading:/.test(one.getText().split('render')[0]!)) continue;
      made.push({ key: one.name.text, schema: shape[one.name.text] });
    }
  }
  return { made, unknown };
}

test('every list column, table column and fact is titled by its row’s schema, never by its key', async () => {
  const nameless: string[] = [];
  let seen = 0;
  for (const file of pages) {
    const { made, unknown } = await madeIn(file, read(file));
    nameless.push(...unknown);
    seen += made.length;
    for (const { key, schema } of made)
      if (!han.test((schema && headingOf(schema)) ?? '')) nameless.push(`${file}: ${key}`);
  }
  expect(nameless).toEqual([]);
  expect(seen).toBeGreaterThan(700);
});

/** The shapes of what is sent, and of the rows of lists, of calls and of objects that hold them. */
function shapesOfCalls(values: Iterable<unknown>) {
  const [bodies, queries]: [Record<string, Schema>[], Record<string, Schema>[]] = [[], []];
  const seen = new Set<unknown>();
  const shapesOf = (schema: Schema | undefined): Record<string, Schema>[] => {
    if (!schema) return [];
    const {
      shape,
      options = [],
      innerType,
      in: from,
    } = schema._zod.def as {
      shape?: Record<string, Schema>;
      options?: Schema[];
      innerType?: Schema;
      in?: Schema;
    };
    return shape ? [shape] : [...options, innerType, from].flatMap(shapesOf);
  };
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || '_zod' in value || depth > 3 || seen.has(value)) return;
    seen.add(value);
    if (!('path' in value && 'method' in value)) return Object.values(value).forEach((one) => visit(one, depth + 1));
    const { body, query, reply } = value as Call;
    bodies.push(...shapesOf(body));
    const list =
      typeof reply === 'symbol'
        ? []
        : shapesOf(reply).flatMap(({ value: rows }) =>
            shapesOf((rows?._zod.def as { element?: Schema } | undefined)?.element),
          );
    queries.push(...shapesOf(query), ...list);
  };
  for (const value of values) visit(value, 0);
  return { bodies, queries: [...queries, ...bodies] };
}
/** The same of all calls that files of contracts export. */
async function shapesIn(files: Iterable<string>) {
  const exported: unknown[] = [];
  for (const file of files) exported.push(...Object.values((await import(join(root, file))) as object));
  return shapesOfCalls(exported);
}
/** The shapes of what is sent by the calls that a page itself names, one by one or as those of a noun that it hands on. */
async function bodiesNamedIn(file: string, source: ts.SourceFile): Promise<Record<string, Schema>[]> {
  const named = new Map<string, ts.Expression>();
  for (const node of nodesIn(source))
    if (ts.isPropertyAccessExpression(node) || (ts.isIdentifier(node) && ts.isJsxExpression(node.parent)))
      named.set(node.getText(), node);
  const calls: unknown[] = [];
  for (const node of named.values()) calls.push(await valueOf(file, source, node).catch(() => undefined));
  return shapesOfCalls(calls).bodies;
}
const ofInput =
  /^(?:name|help|group|kind|options|multiple|placeholder|autoComplete|notBefore|render|needed|given|when)$/;

test('every form field and filter has a title where it is sent, or from its list column', async () => {
  const contracts = globSync('modules/*/*/{contract.ts,contract/**/*.ts}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  );
  const nameless: string[] = [];
  let seen = 0;
  for (const file of pages) {
    const source = read(file);
    const wanted: { key: string; of: 'bodies' | 'queries' }[] = [];
    for (const node of nodesIn(source)) {
      if (!ts.isObjectLiteralExpression(node) || node.properties.some(ts.isSpreadAssignment)) continue;
      const props = new Map(node.properties.map((one) => [one.name?.getText() ?? '', one]));
      const literal = (name: string) => {
        const one = props.get(name);
        return one && ts.isPropertyAssignment(one) && ts.isStringLiteral(one.initializer)
          ? one.initializer.text
          : undefined;
      };
      const [name, key] = [literal('name'), literal('key')];
      const alone = props.size > 1 || ts.isArrayLiteralExpression(node.parent);
      if (name && alone && [...props.keys()].every((one) => ofInput.test(one)))
        wanted.push({ key: name, of: 'bodies' });
      if (key && !props.has('label') && /^(?:select|text|date|own)$/.test(literal('kind') ?? ''))
        wanted.push({ key, of: 'queries' });
    }
    if (wanted.length === 0) continue;
    const own = file.split('/').slice(0, 3).join('/');
    const near = new Set(contracts.filter((one) => one.startsWith(`${own}/`)));
    for (const [, path] of source.text.matchAll(/from '#(modules\/\w+\/\w+\/contract[\w/.-]*)'/g)) near.add(path!);
    const shapes = await shapesIn(near);
    // A page that names the calls which its forms send is asked of these; parts of forms are asked of all that are near.
    const sent = await bodiesNamedIn(file, source);
    const asked = { queries: shapes.queries, bodies: sent.length > 0 ? sent : shapes.bodies };
    seen += wanted.length;
    for (const { key, of } of wanted)
      if (!asked[of].some((shape) => shape[key] && titleOf(shape[key]) !== undefined)) nameless.push(`${file}: ${key}`);
  }
  expect(nameless).toEqual([]);
  expect(seen).toBeGreaterThan(400);
});

/** Filters that ask for a part of what the column shows, or for one of several states that it tells in one word. */
const narrower = new Set(['手机后四位', '至少容纳', '审批状态', '进度']);

test('a filter is titled like its column', async () => {
  const contracts = globSync('modules/*/*/{contract.ts,contract/**/*.ts}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  );
  const apart: string[] = [];
  let seen = 0;
  for (const file of contracts)
    for (const value of Object.values((await import(join(root, file))) as object))
      for (const one of [value, ...Object.values((value as object | null) ?? {})] as unknown[]) {
        if (typeof one !== 'object' || one === null || !('path' in one && 'query' in one && one.query)) continue;
        const { path, query, reply } = one as Call;
        const list = typeof reply === 'symbol' ? undefined : (shapeOf(reply!)['value'] as Schema | undefined);
        const element = (list?._zod.def as { element?: Schema } | undefined)?.element;
        if (!element) continue;
        const row = shapeOf(element);
        for (const [key, filter] of Object.entries(shapeOf(query!))) {
          const beside = [`${key.replace(/_id$/, '')}_name`, key].find((name) => row[name] && shortTitleOf(row[name]));
          if (beside === undefined) continue;
          seen += 1;
          const [column, called] = [shortTitleOf(row[beside]), shortTitleOf(filter) ?? shortTitleOf(row[key])];
          if (called !== undefined && called !== column && !narrower.has(called))
            apart.push(`${path} ${key}: ${called} ≠ ${column}`);
        }
      }
  expect(apart).toEqual([]);
  expect(seen).toBeGreaterThan(30);
});
