import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  isShownOnly,
  onEmpty,
  onSelf,
  participantType,
  rejectRule,
} from '../codes.ts';
import type { Condition } from '../condition.ts';
import { Definition, type DefinitionInput } from '../definition.ts';
import { usualTemplate } from '../fields/print-template.ts';
import { isPlainText } from '../templates.ts';
import { saving } from '../straight.ts';

// The building blocks of the gallery's flows: fields of a form, successive steps, and conditions of a step.

type FieldInput = DefinitionInput['fields'][number];
type StateInput = DefinitionInput['states'][number];
type Who = NonNullable<StateInput['participants']>[number];
/** A field without its number, which is its position in the form. `may`: optional. */
export type Entry = Omit<FieldInput, 'id'> & { may?: boolean };
type More = Partial<Entry>;
type ColumnInput = NonNullable<FieldInput['columns']>[number];

export interface Step {
  key: string;
  name: string;
  by: Who;
  /** Asked only if this condition on the form holds. */
  when?: Condition;
  /** Work, not approval: text of the button when it is done. */
  done?: string;
  /** Fields filled in here. */
  fills?: readonly Entry[];
  /** Everybody named must agree. */
  together?: boolean;
}

/** A template for a new workflow; all of it can be changed. */
export interface Template {
  key: string;
  name: string;
  /** One sentence: its purpose and its deciders. */
  about: string;
  category: string;
  icon: string;
  definition: Definition;
}

export const line = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.string,
  max_length: 100,
  ...more,
});
export const words = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.textarea,
  max_length: 1000,
  ...more,
});
export const reason = (name = '事由'): Entry => words('reason', name);
export const phone = (key: string, name: string): Entry => ({ key, name, type: fieldType.phone });
export const day = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.date,
  ...more,
});
export const moment = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.datetime,
  ...more,
});
export const whole = (key: string, name: string, max: number, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.int,
  min: 1,
  max,
  ...more,
});
export const money = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.money,
  min: 0,
  max: 100_000_000,
  ...more,
});
export const person = (key: string, name: string, more: More = {}): Entry => ({
  key,
  name,
  type: fieldType.user,
  ...more,
});
export const dept = (key: string, name: string): Entry => ({ key, name, type: fieldType.dept });
export const files = (name: string): Entry => ({ key: 'files', name, type: fieldType.file, max: 20, may: true });
/** One of several, by value. */
export const choice = (key: string, name: string, labels: Readonly<Record<string, string>>): Entry => ({
  key,
  name,
  type: fieldType.radio,
  choices: Object.entries(labels).map(([value, label]) => ({ value, label })),
});
/** Any of several, or none. */
export const several = (key: string, name: string, labels: Readonly<Record<string, string>>): Entry => ({
  ...choice(key, name, labels),
  type: fieldType.checkbox,
  may: true,
});
export const optional = (field: Entry): Entry => ({ ...field, may: true });

/** Rows with these columns. */
export const rows = (key: string, name: string, columns: readonly Entry[]): Entry => ({
  key,
  name,
  type: fieldType.table,
  max_rows: 50,
  columns: columns.map(({ may, ...column }): ColumnInput => ({ ...column, required: !may && !column.formula })),
});
/** The total of a column, and the same in capitals, as signed papers have it. */
export const totals = (table: string, column: string): Entry[] => [
  money('total', '合计', { formula: { op: 'sum', table, column } }),
  capitals('total'),
];
export const capitals = (of: string): Entry =>
  line('capitals', '金额大写', { formula: { op: 'capitals', of: [{ op: 'field', field: of }] } });
/** A period of days, and their number. */
export const period = (from: string, to: string, working: boolean, more: Partial<Entry> = {}): Entry[] => [
  day('from', from),
  day('to', to, { not_before: 'from', ...more }),
  {
    key: 'days',
    name: '天数',
    description: working ? '按起止日期算出，只计工作日，含首尾两天' : '按起止日期算出，含首尾两天',
    type: fieldType.float,
    min: 0.5,
    max: 365,
    decimals: 1,
    days_between: { from: 'from', to: 'to', working },
  },
];
/** A period by the minute. */
export const hours = (from: string, to: string, more: Partial<Entry> = {}): Entry[] => [
  moment('from', from),
  moment('to', to, { not_before: 'from', ...more }),
];

const variable = (name: 'creator' | 'dept_fzr' | 'dept_ld' | 'secretary' | 'xld'): Who => ({
  type: participantType.variable,
  variable: name,
});
/** The holders of a function: every organisation has these roles, whoever holds them. */
const role = (code: string): Who => ({ type: participantType.role, roles: [code] });

export const head: Step = { key: 'head', name: '部门负责人审批', by: variable('dept_fzr') };
export const leader: Step = { key: 'leader', name: '分管领导审批', by: variable('dept_ld') };
export const principals: Step = { key: 'principals', name: '校领导会签', by: variable('xld'), together: true };
export const principal: Step = { key: 'principal', name: '校领导审批', by: variable('xld') };
export const headOf = (field: string, name: string): Step => ({
  key: 'other_head',
  name,
  by: { type: participantType.fieldHeads, field },
});
/** Approval by the holders of a role. */
export const review = (key: string, name: string, code: string): Step => ({ key, name, by: role(code) });
/** Work by the holders of a role. */
export const work = (key: string, name: string, done: string, code: string, fills: readonly Entry[] = []): Step => ({
  key,
  name,
  done,
  by: role(code),
  fills,
});
export const bySecretary = (key: string, name: string, done: string): Step => ({
  key,
  name,
  done,
  by: variable('secretary'),
});
export const byNamed = (key: string, name: string, done: string, field: string): Step => ({
  key,
  name,
  done,
  by: { type: participantType.field, field },
});
/** The applicant's final statement. */
export const byApplicant = (key: string, name: string, done: string): Step => ({
  key,
  name,
  done,
  by: variable('creator'),
});
export const when = (step: Step, condition: Condition): Step => ({ ...step, when: condition });
export const above = (step: Step, field: string, value: number): Step => when(step, { op: 'gt', field, value });

interface Told {
  key: string;
  name: string;
  about: string;
  category: string;
  icon: string;
  /** Prefix of its numbers. */
  prefix: string;
  title: string;
  form: readonly Entry[];
  steps: readonly Step[];
  /** It is printed as a sheet with a heading, in place of its form. */
  printed?: boolean;
}

/** A flow of successive steps; each agrees, or returns it to the applicant. */
export function flow({ key, name, about, category, icon, prefix, title, form, steps, printed }: Told): Template {
  const entries = [...form, ...steps.flatMap(({ fills = [] }) => fills)];
  const fields = entries.map(({ may: _may, ...field }, index): FieldInput => ({ id: index + 1, ...field }));
  const last = steps.length + 2;
  const made = Definition.parse({
    name,
    fields,
    states: [
      { id: 1, key: 'start', name: '申请', kind: 'start', order: 1, access: writing(form), actions: ['cc'] },
      ...steps.map((step, index) => stateOf(step, index + 2, reading(form, steps.slice(0, index)))),
      { id: last, key: 'done', name: '办结', kind: 'end', order: last },
    ],
    transitions: [
      saving,
      { id: 2, key: 'submit', name: '提交', source: 1, attribute: attributeType.agree, ...onward(steps, 0) },
      ...steps.flatMap(({ key: of, done }, index) => [
        {
          id: 3 + index * 2,
          key: `${of}_agree`,
          name: done ?? '同意',
          source: index + 2,
          attribute: attributeType.agree,
          ...onward(steps, index + 1),
        },
        {
          id: 4 + index * 2,
          key: `${of}_refuse`,
          name: '退回申请人',
          source: index + 2,
          destination: 1,
          attribute: attributeType.refuse,
          field_require_check: false,
          suggestion_required: true,
        },
      ]),
    ],
    settings: {
      title_template: title,
      content_template: `${name}：${title}`,
      number_rule: { prefix, digits: 4, period: 'day' },
      ...(printed && { print_template: usualTemplate(fields) }),
    },
  });
  // Mere viewers see short fields, and no long texts.
  const display_form = made.fields
    .filter((field) => isPlainText(field) && field.type !== fieldType.textarea && field.type !== fieldType.phone)
    .map((field) => field.key);
  const definition = { ...made, settings: { ...made.settings, display_form } };
  return { key, name, about, category, icon, definition };
}

/** The exits of a step: the first of the following steps that is asked, the next that is always asked, or the end. */
function onward(steps: readonly Step[], from: number) {
  const always = steps.findIndex((step, index) => index >= from && !step.when);
  const next = always < 0 ? steps.length : always;
  const conditions = steps.slice(from, next).flatMap(({ when: expression }, index, beside) => {
    const before = beside.slice(0, index).flatMap((step) => step.when ?? []);
    // People asked from a higher amount on are asked after those of the lower one, and never instead of them.
    if (!expression || before.some((lower) => holdsWhenever(lower, expression))) return [];
    return [{ expression, target_state_id: from + index + 2 }];
  });
  return { destination: next + 2, conditions };
}

const holdsWhenever = (lower: Condition, higher: Condition) =>
  lower.op === 'gt' && higher.op === 'gt' && lower.field === higher.field && lower.value <= higher.value;

function stateOf({ key, name, by, done, fills = [], together }: Step, id: number, read: StateInput['access']) {
  const asked = fills.some(({ may }) => !may);
  const pooled = done !== undefined && by.type === participantType.role;
  return {
    id,
    key,
    name,
    kind: done === undefined ? ('approve' as const) : ('handle' as const),
    order: id,
    participants: [by],
    distribution: together
      ? { type: distributeType.all, reject_rule: rejectRule.veto }
      : pooled
        ? { type: distributeType.claim }
        : { type: distributeType.direct, reject_rule: rejectRule.veto },
    on_empty: onEmpty.admins,
    // The person working may be the applicant: this is no approval. A step with required fields must not be skipped, or nobody would fill them in.
    ...(done !== undefined ? { on_self: onSelf.asUsual } : asked ? {} : { dedupe: 'round' as const }),
    access: { ...read, ...writing(fills) },
    // A step with required fields is not decided in batches.
    actions: ['deliver', 'delegate', 'add_node', 'return', 'retreat', 'cc', ...(asked ? [] : ['batch' as const])],
  } satisfies StateInput;
}

const isReadOnly = ({ type, formula }: Entry) => isShownOnly(type) || formula !== undefined;
const writing = (entries: readonly Entry[]) =>
  Object.fromEntries(
    entries.map((entry) => [
      entry.key,
      isReadOnly(entry) ? fieldAccess.read : entry.may ? fieldAccess.optional : fieldAccess.required,
    ]),
  );
const reading = (form: readonly Entry[], before: readonly Step[]) =>
  Object.fromEntries([...form, ...before.flatMap(({ fills = [] }) => fills)].map(({ key }) => [key, fieldAccess.read]));
