// A field's title is declared once, in its schema (decision 0231): lists, tables, trees, panels of facts, forms, filters and sheets must not repeat
// it.
import ts from 'typescript';
import { ownTitles } from './own-titles.ts';

type Props = ReadonlyMap<string, ts.ObjectLiteralElementLike>;
interface Typed {
  /** The key of the field, else the typed text. */
  key: string;
  kind: keyof typeof advice;
}

const advice = {
  column: '列“%”的标题请写在行的字段上（.meta(field(…))），由 listColumns、tableColumns 得出',
  fact: '“%”的名称请写在记录的字段上（.meta(field(…))），由 factsOf 得出',
  input: '表单项“%”的名称请写在请求的字段上（.meta(field(…))），表单自会显示',
  filter: '筛选“%”的名称请写在查询或行的字段上（.meta(field(…))），列表自会显示',
  sheet: '导出的列“%”请用 sheetColumns 从行的字段得出，不要另写标题',
} as const;
/** Properties of a form's field besides its name. */
const ofInput = new Set(
  'label help group kind options multiple placeholder autoComplete notBefore render needed given when'.split(' '),
);
/** The heading of the column with a row's buttons. */
const ofButtons = '操作';
const han = /\p{Script=Han}/u;

const parsed = (file: string, text: string) =>
  ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
const propsOf = (object: ts.ObjectLiteralExpression): Props =>
  new Map(object.properties.flatMap((one) => (one.name && 'text' in one.name ? [[one.name.text, one] as const] : [])));
const valueOf = (one: ts.ObjectLiteralElementLike | undefined) =>
  one && ts.isPropertyAssignment(one) ? one.initializer : undefined;
const literal = (one: ts.ObjectLiteralElementLike | undefined) => {
  const given = valueOf(one);
  const value = given && ts.isAsExpression(given) ? given.expression : given;
  return value && ts.isStringLiteralLike(value) ? value.text : undefined;
};
/** The value of a property: its words if they are typed, or else the expression in angle brackets. */
const givenBy = (one: ts.ObjectLiteralElementLike | undefined): string => {
  const words = literal(one);
  if (words !== undefined || !one) return words ?? '';
  return `‹${(valueOf(one) ?? one).getText().replaceAll(/\s+/g, ' ')}›`;
};
/** True if the property holds words of the interface, directly or from another place in the file. */
const saysWords = (one: ts.ObjectLiteralElementLike | undefined): boolean => {
  if (!one) return false;
  const value = valueOf(one);
  return value === undefined || ts.isIdentifier(value) || han.test(value.getText());
};
const typesWords = (one: ts.ObjectLiteralElementLike | undefined): boolean => han.test(valueOf(one)?.getText() ?? '');

/** The property whose value a node is, also through conditions, spreads, arrays and functions that only return it. */
function heldBy(node: ts.Node): ts.Node {
  let at = node.parent;
  while (
    ts.isParenthesizedExpression(at) ||
    ts.isConditionalExpression(at) ||
    ts.isBinaryExpression(at) ||
    ts.isSpreadElement(at) ||
    ts.isArrayLiteralExpression(at) ||
    ts.isAsExpression(at) ||
    ts.isSatisfiesExpression(at) ||
    ts.isJsxExpression(at)
  )
    at = at.parent;
  return at;
}
const nameOf = (node: ts.Node): string =>
  (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node) || ts.isJsxAttribute(node)) && 'text' in node.name
    ? String(node.name.text)
    : '';

/** The title typed in an object that describes a field, if any. */
function typedIn(object: ts.ObjectLiteralExpression, inFacts: boolean): Typed | undefined {
  const props = propsOf(object);
  const has = (name: string) => props.get(name);
  const words = (name: string) => givenBy(has(name));
  const named = literal(has('key')) ?? literal(has('dataIndex'));
  const holder = heldBy(object);
  if (inFacts && has('label')) return { key: named ?? words('label'), kind: 'fact' };
  if (has('heading') && saysWords(has('heading')))
    return { key: named ?? (nameOf(holder) || words('heading')), kind: has('shown') ? 'fact' : 'column' };
  if (named !== undefined && saysWords(has('title')) && literal(has('title')) !== ofButtons)
    return { key: named, kind: 'column' };
  if (typesWords(has('title')) && literal(has('title')) !== ofButtons) {
    if (/columns$/i.test(nameOf(holder)) && !ts.isPropertyAssignment(object.parent))
      return { key: words('title'), kind: 'column' };
  }
  if (!saysWords(has('label'))) return undefined;
  if (has('key') && has('kind')) return { key: givenBy(has('key')), kind: 'filter' };
  if (has('name')) return { key: givenBy(has('name')), kind: 'input' };
  const all = [...props.keys()];
  if (ts.isPropertyAssignment(object.parent) && typesWords(has('label')) && all.every((name) => ofInput.has(name)))
    return { key: nameOf(object.parent), kind: 'input' };
  return undefined;
}

/** The nodes passed to a panel of facts: the expressions, and their declarations in the same file. */
function factsIn(source: ts.SourceFile): Set<ts.Node> {
  const found = new Set<ts.Node>();
  const declared = new Map<string, ts.Node[]>();
  const called: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name && ts.isIdentifier(node.name))
      declared.set(node.name.text, [...(declared.get(node.name.text) ?? []), node]);
    if (
      ts.isJsxAttribute(node) &&
      nameOf(node) === 'items' &&
      node.parent.parent.tagName.getText() === 'Descriptions'
    ) {
      found.add(node);
      const names = (one: ts.Node): void => {
        if (ts.isIdentifier(one)) called.push(one.text);
        ts.forEachChild(one, names);
      };
      if (node.initializer) names(node.initializer);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const name of called) for (const node of declared.get(name) ?? []) if (!isComponent(name)) found.add(node);
  return found;
}
const isComponent = (name: string) => /^[A-Z]/.test(name);

/** The titles that a file types, each once. */
export function typedOf(file: string, text: string): Typed[] {
  const page = file.endsWith('.tsx') || /\/web\//.test(file);
  const contract = /\/contract[/.]/.test(file);
  if (!page && !contract) return [];
  const source = parsed(file, text);
  const facts = page ? factsIn(source) : new Set<ts.Node>();
  const found: Typed[] = [];
  const visit = (node: ts.Node, inFacts: boolean): void => {
    if (contract && ts.isCallExpression(node) && node.expression.getText() === 'sheetImport') return;
    if (ts.isObjectLiteralExpression(node)) {
      const typed = page ? typedIn(node, inFacts) : typedInSheet(node);
      if (typed && (typed.kind !== 'column' || file.endsWith('.tsx'))) found.push(typed);
    }
    const within = inFacts || facts.has(node);
    // Rendered elements are not facts.
    const leaves = ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node);
    ts.forEachChild(node, (child) => visit(child, within && !leaves));
  };
  visit(source, false);
  return found;
}

/** A column of a sheet with a typed title, wherever the columns are put together. */
function typedInSheet(object: ts.ObjectLiteralExpression): Typed | undefined {
  const props = propsOf(object);
  const key = literal(props.get('key'));
  return key !== undefined && saysWords(props.get('title')) && ts.isArrayLiteralExpression(object.parent)
    ? { key, kind: 'sheet' }
    : undefined;
}

/** Why something of a file has words of its own: a reason for each place where it stands. */
const reasonsFor = (file: string, key: string): readonly string[] => [ownTitles[file]?.[key] ?? []].flat();

/** Reports the titles in a file that a schema gives, or should give. */
export const typedTitles = (file: string, text: string): string[] => {
  const seen = new Map<string, number>();
  return typedOf(file, text)
    .filter(({ key }) => {
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return times > reasonsFor(file, key).length;
    })
    .map(({ key, kind }) => `${advice[kind].replace('%', key)}，确为自己的写进 ownTitles 并说明原因，每处一条`);
};

/** Reports reasons whose file or title no longer exists; the text of a missing file is undefined. */
export const needless = (textOf: (file: string) => string | undefined): string[] =>
  Object.entries(ownTitles).flatMap(([file, keys]) => {
    const there = typedOf(file, textOf(file) ?? '').map(({ key }) => key);
    return Object.keys(keys)
      .filter((key) => reasonsFor(file, key).length > there.filter((one) => one === key).length)
      .map((key) => `${file}：“${key}”没有这么多自己的名称，请从 ownTitles 中删去多余的`);
  });
