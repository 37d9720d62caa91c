import { z } from 'zod';
import type { Condition } from '../condition.ts';
import { Formula, type Operation } from './formula.ts';

interface Named {
  key: string;
  name: string;
  columns?: readonly { key: string; name: string }[];
}
export const functionNames: Partial<Record<Formula['op'], string>> = {
  sum: '合计',
  count: '行数',
  min: '最小',
  max: '最大',
  round: '四舍五入',
  days: '天数',
  workdays: '工作日数',
  begin: '开始日',
  end: '结束日',
  after: '加天数',
  concat: '连接',
  capitals: '大写',
  if: '如果',
};
const signs = { add: '+', sub: '-', mul: '*', div: '/' } as const;
const compares = { '>=': 'gte', '<=': 'lte', '!=': 'ne', '=': 'eq', '>': 'gt', '<': 'lt' } as const;
const comparing = Object.fromEntries(Object.entries(compares).map(([sign, op]) => [op, sign]));

/** A formula as its author reads and writes it: `合计([明细.金额]) * 2`. */
export function textOf(formula: Formula, fields: readonly Named[], inner = false): string {
  const nameOf = (key: string) => fields.find((one) => one.key === key)?.name ?? key;
  const columnOf = (table: string, column: string) =>
    fields.find((one) => one.key === table)?.columns?.find((one) => one.key === column)?.name ?? column;
  switch (formula.op) {
    case 'value':
      return typeof formula.value === 'number' ? String(formula.value) : `“${formula.value}”`;
    case 'field':
      return `[${nameOf(formula.field)}]`;
    case 'sum':
      return `合计([${nameOf(formula.table)}.${columnOf(formula.table, formula.column)}])`;
    case 'count':
      return `行数([${nameOf(formula.table)}])`;
    case 'begin':
    case 'end':
      return `${functionNames[formula.op]}([${nameOf(formula.field)}])`;
    case 'add':
    case 'sub':
    case 'mul':
    case 'div': {
      const text = formula.of.map((part) => textOf(part, fields, true)).join(` ${signs[formula.op]} `);
      return inner ? `(${text})` : text;
    }
    case 'if':
      return `如果(${conditionOf(formula.when, nameOf)}, ${formula.of.map((part) => textOf(part, fields)).join(', ')})`;
    default:
      return `${functionNames[formula.op]}(${formula.of.map((part) => textOf(part, fields)).join(', ')})`;
  }
}

function conditionOf(when: Condition, nameOf: (key: string) => string): string {
  if (when.op === 'and' || when.op === 'or')
    return when.of.map((part) => conditionOf(part, nameOf)).join(when.op === 'and' ? ' 且 ' : ' 或 ');
  if (!('field' in when) || !('value' in when)) return '';
  const value = typeof when.value === 'string' ? `“${when.value}”` : String(when.value);
  return `[${nameOf(when.field)}] ${comparing[when.op] ?? '='} ${value}`;
}

const longest = 500;
const word =
  /^\s*(?:(\d+(?:\.\d+)?)|“([^”]*)”|"([^"]*)"|\[([^\]]+)\]|(>=|<=|!=|[-+*/(),，（）=<>])|([\p{Script=Han}]+))/u;
type Token = { kind: 'number' | 'text' | 'name' | 'sign' | 'word'; text: string };

/** Parses a formula, or explains in words why it is invalid. */
export function parsed(text: string, fields: readonly Named[]): { formula: Formula } | { fault: string } {
  try {
    const reader = new Reader(tokensOf(text), fields);
    const formula = reader.sum();
    reader.end();
    const checked = Formula.safeParse(formula);
    return checked.success ? { formula } : { fault: checked.error.issues[0]?.message ?? '公式不正确' };
  } catch (fault) {
    if (fault instanceof Fault) return { fault: fault.message };
    throw fault;
  }
}

/** Parses two formulas and their relation: `[预算] >= 合计([明细.金额])`. */
export function parsedCheck(text: string, fields: readonly Named[]) {
  try {
    const reader = new Reader(tokensOf(text), fields);
    const left = reader.sum();
    const op = reader.compare();
    const right = reader.sum();
    reader.end();
    const whole = z.object({ left: Formula, right: Formula }).safeParse({ left, right });
    return whole.success ? { check: { left, op, right } } : { fault: whole.error.issues[0]?.message ?? '公式不正确' };
  } catch (fault) {
    if (fault instanceof Fault) return { fault: fault.message };
    throw fault;
  }
}
export const checkText = (
  { left, op, right }: { left: Formula; op: string; right: Formula },
  fields: readonly Named[],
): string => `${textOf(left, fields)} ${comparing[op] ?? '='} ${textOf(right, fields)}`;

class Fault extends Error {}

function tokensOf(text: string): Token[] {
  if (text.length > longest) throw new Fault(`公式最多 ${longest} 个字`);
  const tokens: Token[] = [];
  for (let rest = text.trimEnd(); rest.trim() !== '';) {
    const found = word.exec(rest);
    if (!found) throw new Fault(`看不懂“${rest.trim().slice(0, 10)}”，字段请写成 [字段名]`);
    const [all, number, quoted, plain, name, sign, letters] = found;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (quoted !== undefined || plain !== undefined) tokens.push({ kind: 'text', text: quoted ?? plain ?? '' });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: { '，': ',', '（': '(', '）': ')' }[sign] ?? sign });
    else tokens.push({ kind: 'word', text: letters ?? '' });
    rest = rest.slice(all.length);
  }
  return tokens;
}

/** Several sums and products are siblings, not nested. */
function joined(op: 'add' | 'sub' | 'mul' | 'div', left: Formula, right: Formula): Formula {
  const flat = (op === 'add' || op === 'mul') && left.op === op;
  return { op, of: flat ? [...left.of, right] : [left, right] };
}

const deepest = 20;

class Reader {
  #at = 0;
  #depth = 0;
  readonly #tokens: readonly Token[];
  readonly #fields: readonly Named[];
  constructor(tokens: readonly Token[], fields: readonly Named[]) {
    this.#tokens = tokens;
    this.#fields = fields;
  }

  sum(): Formula {
    if (++this.#depth > deepest) throw new Fault('括号套得太深');
    let left = this.#product();
    for (let sign = this.#takes('+', '-'); sign; sign = this.#takes('+', '-'))
      left = joined(sign === '+' ? 'add' : 'sub', left, this.#product());
    this.#depth--;
    return left;
  }

  compare() {
    const sign = this.#takes(...Object.keys(compares)) as keyof typeof compares | null;
    if (!sign) throw new Fault('缺少比较，如 >= 或 =');
    return compares[sign];
  }

  end(): void {
    const rest = this.#tokens[this.#at];
    if (rest) throw new Fault(`“${rest.text}”放在这里看不懂`);
  }

  #product(): Formula {
    let left = this.#one();
    for (let sign = this.#takes('*', '/'); sign; sign = this.#takes('*', '/'))
      left = joined(sign === '*' ? 'mul' : 'div', left, this.#one());
    return left;
  }

  #one(): Formula {
    const token = this.#tokens[this.#at++];
    if (!token) throw new Fault('公式没有写完');
    if (token.kind === 'number') return { op: 'value', value: Number(token.text) };
    if (token.kind === 'text') return { op: 'value', value: token.text };
    if (token.kind === 'name') return { op: 'field', field: this.#field(token.text).key };
    if (token.kind === 'word') return this.#function(token.text);
    if (token.text === '-') return { op: 'sub', of: [{ op: 'value', value: 0 }, this.#one()] };
    if (token.text !== '(') throw new Fault(`“${token.text}”放在这里看不懂`);
    const inner = this.sum();
    this.#must(')');
    return inner;
  }

  #function(name: string): Formula {
    const op = Object.entries(functionNames).find(([, one]) => one === name)?.[0] as Formula['op'] | undefined;
    if (!op) throw new Fault(`没有“${name}”这个函数，可以用${Object.values(functionNames).join('、')}`);
    this.#must('(');
    if (op === 'sum' || op === 'count') return this.#table(op);
    if (op === 'begin' || op === 'end') return this.#range(op, name);
    const when = op === 'if' ? this.#condition() : null;
    if (when) this.#must(',');
    const of = [this.sum()];
    while (this.#takes(',')) of.push(this.sum());
    this.#must(')');
    return when ? { op: 'if', when, of } : { op: op as Operation, of };
  }

  #table(op: 'sum' | 'count'): Formula {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'name') throw new Fault(op === 'sum' ? '合计里请写 [表格.列]' : '行数里请写 [表格]');
    this.#must(')');
    const [name = '', ...column] = token.text.split('.');
    const table = this.#field(name);
    if (op === 'count') return { op, table: table.key };
    const found = table.columns?.find((one) => one.name === column.join('.'));
    if (!found) throw new Fault(`表格“${name}”没有“${column.join('.')}”这一列`);
    return { op, table: table.key, column: found.key };
  }

  #range(op: 'begin' | 'end', name: string): Formula {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'name') throw new Fault(`${name}里请写 [日期区间]`);
    this.#must(')');
    return { op, field: this.#field(token.text).key };
  }

  #condition(): Condition {
    const of = [this.#comparison()];
    const joint = this.#tokens[this.#at]?.text;
    if (joint !== '且' && joint !== '或') return of[0]!;
    while (this.#tokens[this.#at]?.text === joint) {
      this.#at++;
      of.push(this.#comparison());
    }
    return { op: joint === '且' ? 'and' : 'or', of };
  }

  #comparison(): Condition {
    const token = this.#tokens[this.#at++];
    if (token?.kind !== 'name') throw new Fault('条件请写成 [字段] > 数值');
    const field = this.#field(token.text).key;
    const op = this.compare();
    const value = this.#tokens[this.#at++];
    if (value?.kind !== 'number' && value?.kind !== 'text') throw new Fault('条件只能与数字或“文字”比较');
    return { op, field, value: value.kind === 'number' ? Number(value.text) : value.text };
  }

  #field(name: string): Named {
    const found = this.#fields.find((one) => one.name === name) ?? this.#fields.find((one) => one.key === name);
    if (!found) throw new Fault(`没有“${name}”这个字段`);
    return found;
  }

  #takes(...signs: string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return null;
    this.#at++;
    return token.text;
  }

  #must(sign: string): void {
    if (!this.#takes(sign)) throw new Fault(`缺少“${sign}”`);
  }
}
