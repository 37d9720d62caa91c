import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, appoint, type School } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import {
  actState,
  fieldAccess,
  fieldType,
  isNumberType,
  participantType,
} from '#modules/workflow/workflows/engine/codes.ts';
import { leavesOf } from '#modules/workflow/workflows/engine/condition.ts';
import {
  asksPeople,
  startOf,
  stateOf,
  type Column,
  type Definition,
  type Field,
  type Participant,
  type State,
} from '#modules/workflow/workflows/engine/definition.ts';
import { templates } from '#modules/workflow/workflows/engine/gallery/templates.ts';
import { isComputed } from '#modules/workflow/workflows/engine/formula/formula.ts';

let school: School;
const holders = new Map<string, Client>();
beforeAll(async () => {
  school = await openSchool();
  holders.set('xld', school.principal).set('office_admin', school.clerk).set('order_handler', school.worker);
  for (const role of ['org_admin', 'finance', 'order_desk', 'seal_keeper', 'safety', 'publicity', 'workflow_admin'])
    holders.set(role, await school.hire(role, { roles: [role] }));
  await appoint(school.office, school.dept, { secretary: school.colleague });
}, 120_000);
afterAll(() => school.office.close());

type Values = Record<string, unknown>;

/** A value that fits a field or a column. */
function valueFor(field: Field | Column): unknown {
  if (isNumberType(field.type)) return Math.max(field.min ?? 1, 1);
  switch (field.type) {
    case fieldType.date:
      return '2031-03-03';
    case fieldType.datetime:
      return '2031-03-03 09:00';
    case fieldType.radio:
    case fieldType.select:
      return field.choices.at(0)!.value;
    case fieldType.user:
      return school.librarian.username;
    case fieldType.dept:
      return school.dept;
    case fieldType.phone:
      return '13900000000';
    case fieldType.table:
      return 'columns' in field ? [filled(field.columns)] : [];
    default:
      return `${field.name}如下`;
  }
}
const filled = (fields: readonly (Field | Column)[]): Values =>
  Object.fromEntries(fields.filter((one) => !isComputed(one)).map((one) => [one.key, valueFor(one)]));

/** Values for all required fields of a state. */
const demanded = (definition: Definition, state: State): Values =>
  filled(definition.fields.filter(({ key }) => state.access[key] === fieldAccess.required));

/** The same form with one change: a number it holds or computes is this one, or a choice is. */
function made({ fields }: Definition, form: Values, key: string, value: unknown): Values {
  const field = fields.find((one) => one.key === key)!;
  if (field.days_between) {
    const { to } = field.days_between;
    return {
      ...form,
      [to]: new Date(Date.parse('2031-03-03') + Number(value) * 2 * 86_400_000).toISOString().slice(0, 10),
    };
  }
  if (field.formula?.op !== 'sum') return { ...form, [key]: value };
  const { table, column } = field.formula;
  const columns = fields.find((one) => one.key === table)!.columns;
  const priced = columns.find((one) => one.key === column)?.formula ? 'price' : column;
  return { ...form, [table]: [{ ...(form[table] as Values[])[0], [priced]: value }] };
}

/** Forms for each of which another condition of the flow holds, and one for which none does. */
function branches(definition: Definition): { form: Values; beside: string | null }[] {
  const plain = demanded(definition, startOf(definition));
  const found = definition.transitions.flatMap(({ conditions }) =>
    conditions.flatMap(({ expression, target_state_id }) =>
      leavesOf(expression).flatMap((leaf) => {
        if (!('field' in leaf) || !('value' in leaf)) return [];
        const value = leaf.op === 'gt' ? Number(leaf.value) + 1 : [leaf.value].flat()[0];
        const beside = stateOf(definition, target_state_id).name;
        return [{ form: made(definition, plain, leaf.field, value), beside }];
      }),
    ),
  );
  const once = new Map(found.map((one) => [JSON.stringify(one), one]));
  return [{ form: plain, beside: null }, ...once.values()];
}

/** The person a state asks if 张三 began the ticket. */
function askedOf(who: Participant): Client {
  const { staff, head, leader, principal, colleague, librarian } = school;
  const named = { creator: staff, dept_fzr: head, dept_ld: leader, xld: principal, secretary: colleague };
  if ('variable' in who) return named[who.variable as keyof typeof named];
  if ('roles' in who) return holders.get(who.roles[0]!)!;
  return who.type === participantType.field ? librarian : head;
}

/** The decisions of a ticket in order: state name and person. */
async function wayOf(definition: Definition, id: number): Promise<[string, number][]> {
  const { rows } = await school.office.db.$client.query<{ state_id: number; assignee_id: number }>(
    `select state_id, assignee_id from ticket_task where ticket_id = $1 and status = 'agree' order by decided_at, no`,
    [id],
  );
  return rows
    .filter((row) => row.state_id !== startOf(definition).id)
    .map((row) => [stateOf(definition, row.state_id).name, row.assignee_id]);
}

test('the template gallery has at least twenty workflows with distinct names, keys, numbers, sentences and categories', () => {
  expect(templates.length).toBeGreaterThanOrEqual(20);
  const numbers = templates.map(({ definition }) => definition.settings.number_rule.prefix);
  for (const all of [templates.map(({ key }) => key), templates.map(({ name }) => name), numbers])
    expect(new Set(all).size).toBe(all.length);
  for (const { name, about, category } of templates) {
    expect([name, about.length > 10, about.length <= 60]).toEqual([name, true, true]);
    expect(category).not.toBe('');
  }
});

test('gallery workflows allow taking back decisions, and batch approval except where something must be filled in', () => {
  for (const { name, definition } of templates)
    for (const state of definition.states.filter(({ kind }) => kind === 'approve')) {
      const fills = Object.values(state.access).includes(fieldAccess.required);
      const first = state.order === 2;
      expect([name, state.name, fills || state.actions.includes('batch')]).toEqual([name, state.name, true]);
      expect([name, state.name, !first || state.actions.includes('retreat')]).toEqual([name, state.name, true]);
    }
});

test.each(templates)(
  '$name is published unchanged and runs from start to end with each form outcome and after a return',
  async ({ name, category, about, definition }) => {
    const { office, staff, begin, approve, standsIn, press } = school;
    const body = { name: `${name}试用`, category, description: about, definition: definition as never };
    const { id: flow } = await office.admin.get(designCalls.add, { body });
    const released = await office.admin.get(releaseCalls.publish, { params: { id: flow }, body: {} });
    expect([released.published, released.problems]).toEqual([true, []]);

    const asking = definition.states.filter(asksPeople);
    const fill = Object.fromEntries(asking.map((state) => [state.name, demanded(definition, state)]));
    const passed = new Set<string>();
    for (const { form, beside } of branches(definition)) {
      const { id } = await begin(staff, flow, form);
      await approve(id, { fill });
      expect((await standsIn(id)).act_state).toBe(actState.finished);
      const way = await wayOf(definition, id);
      const told = way.map(([state]) => state);
      for (const [state, by] of way) {
        const { participants } = definition.states.find((one) => one.name === state)!;
        expect([state, by]).toEqual([state, askedOf(participants[0]!).userId]);
        passed.add(state);
      }
      const conditional = new Set(
        definition.transitions.flatMap(({ conditions }) =>
          conditions.map(({ target_state_id }) => stateOf(definition, target_state_id).name),
        ),
      );
      if (beside === null) expect(told.filter((state) => conditional.has(state))).toEqual([]);
      else expect(told).toContain(beside);
    }
    expect([...passed].toSorted()).toEqual(asking.map((state) => state.name).toSorted());

    const { id } = await begin(staff, flow, branches(definition)[0]!.form);
    const [first] = asking;
    const who = askedOf(first!.participants[0]!);
    const given = definition.transitions.find(({ source, destination }) => source === first!.id && destination === 1)!;
    expect((await press(who, id, given.name, { at: first!.name, suggestion: '请补充' })).code).toBe(0);
    expect((await standsIn(id)).act_state).toBe(actState.returned);
    expect((await press(staff, id, '提交', { at: startOf(definition).name })).code).toBe(0);
    await approve(id, { fill });
    expect((await standsIn(id)).act_state).toBe(actState.finished);
  },
  120_000,
);
