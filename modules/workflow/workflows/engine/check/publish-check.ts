import { byItselfProblems } from './by-itself.ts';
import { neverProblems } from './never.ts';
import { childProblems } from '../fields/children.ts';
import { conditionProblems } from './conditions.ts';
import { formulaProblems } from '../formula/check.ts';
import { fillingProblems } from './filling.ts';
import { usualEffort } from '../proof/finishing.ts';
import { peopleWarnings } from './people.ts';
import { pathFindings } from '../proof/paths.ts';
import { sightWarnings } from '../formula/sight.ts';
import { startProblems } from '../starting/settings-check.ts';
import { along, at, on, whole, type Findings, type Problem } from './problem.ts';
import { templateProblems } from './templates.ts';
import {
  attributeType,
  fieldType,
  isDeptType,
  isPeopleType,
  isShownOnly,
  isWholeType,
  onEmpty,
  participantType,
  refusesInTheEnd,
  timeoutAction,
  type StateKind,
} from '../codes.ts';
import {
  asksPeople,
  awaitedIn,
  calledBy,
  exitsOf,
  type Column,
  type Definition,
  type Field,
  type State,
  type Transition,
} from '../definition.ts';
import { choiceTree, deepest, flatChoices, type TreeChoice } from '../fields/choice-tree.ts';
import { reservedKeys } from '../form.ts';
import { isDated, isNumber, saysHalfDay } from './date-pairs.ts';

const splitting: readonly StateKind[] = ['parallel_split', 'inclusive'];
const automatic: readonly StateKind[] = ['cc', 'condition', 'join', 'delay', 'hook', ...splitting];
const choosing: readonly number[] = [
  fieldType.radio,
  fieldType.checkbox,
  fieldType.select,
  fieldType.multiSelect,
  fieldType.cascade,
];

/** Everything in the definition itself that keeps it from being published; empty if nothing does. */
export const publishProblems = (definition: Definition, effort?: number): Problem[] =>
  findingsIn(definition, effort).problems;

/** The same with the warnings. Takes as long as it takes: the server uses `proving.ts`. */
export function findingsIn(definition: Definition, effort = usualEffort): Findings {
  const identity = [
    ...identityProblems(definition),
    ...fieldProblems(definition),
    ...fillingProblems(definition),
    ...templateProblems(definition),
    ...formulaProblems(definition),
    ...neverProblems(definition),
    ...startProblems(definition),
  ];
  const links = linkProblems(definition);
  // With dangling links, further checks would only repeat them in other words.
  const conditions = links.length === 0 ? conditionProblems(definition) : [];
  const paths = links.length === 0 ? pathFindings(definition, effort) : { problems: [], warnings: [] };
  const problems = [
    ...identity,
    ...links,
    ...definition.states.flatMap((state) => stateProblems(definition, state)),
    ...conditions,
    ...paths.problems,
  ];
  // In a definition that cannot be walked, the search for people is meaningless.
  return {
    problems,
    warnings:
      problems.length > 0 ? [] : [...paths.warnings, ...peopleWarnings(definition), ...sightWarnings(definition)],
  };
}

function identityProblems({ states, transitions, fields }: Definition): Problem[] {
  const twice = (what: string, values: readonly (string | number)[]) =>
    [...new Set(values.filter((value, index) => values.indexOf(value) !== index))].map((value) =>
      whole(`${what}“${value}”重复，请改成不同的`),
    );
  return [
    ...twice(
      '环节编号',
      states.map((state) => state.id),
    ),
    ...twice(
      '环节标识',
      states.map((state) => state.key),
    ),
    ...twice(
      '环节名称',
      states.map((state) => state.name),
    ),
    ...twice(
      '流转编号',
      transitions.map((transition) => transition.id),
    ),
    ...twice(
      '流转标识',
      transitions.map((transition) => transition.key),
    ),
    ...twice(
      '字段编号',
      fields.map((field) => field.id),
    ),
    ...twice(
      '字段标识',
      fields.map((field) => field.key),
    ),
  ];
}

function fieldProblems(definition: Definition): Problem[] {
  const { fields, settings } = definition;
  const keys = new Set(fields.map((field) => field.key));
  const found: Problem[] = [];
  for (const field of fields) {
    if ((reservedKeys as readonly string[]).includes(field.key)) {
      found.push(on(field, `字段“${field.name}”的标识“${field.key}”是系统保留字，请换一个`));
    }
    if (field.type === fieldType.table && field.columns.length === 0)
      found.push(on(field, `表格字段“${field.name}”没有列`));
    found.push(...pairProblems(field, fields).map((msg) => on(field, `字段${msg}`)));
    for (const column of field.columns)
      found.push(...pairProblems(column, field.columns).map((msg) => on(field, `表格“${field.name}”的列${msg}`)));
    for (const part of [field, ...field.columns]) found.push(...choiceProblems(field, part));
    found.push(...shownProblems(definition, field));
    for (const column of field.columns) {
      if (column.type === fieldType.table) found.push(on(field, `字段“${field.name}”的列“${column.name}”不能再是表格`));
    }
    if (new Set(field.columns.map((column) => column.key)).size !== field.columns.length) {
      found.push(on(field, `表格字段“${field.name}”有重复的列标识`));
    }
  }
  const away = fields.filter((field) => field.away);
  for (const field of away.slice(1))
    found.push(on(field, `“${away[0]!.name}”已表示期间不在岗，一张工单只能有一段，请去掉“${field.name}”的`));
  for (const key of settings.display_form) {
    if (!keys.has(key)) found.push(whole(`只读表单里的字段“${key}”不存在`));
  }
  for (const key of settings.key_fields) if (!keys.has(key)) found.push(whole(`关键字段“${key}”不存在`));
  return found;
}

/** Faults of fields that show records or opinions but have no source, and of types that cannot be columns. */
function shownProblems({ states }: Definition, field: Field): Problem[] {
  const shut = field.columns.find(({ type }) => type === fieldType.records || isShownOnly(type));
  const lost = (field.of_states ?? []).filter((key) => !states.some((state) => state.key === key));
  return [
    ...(field.type === fieldType.records && !field.module ? [on(field, `字段“${field.name}”没有选择事项类型`)] : []),
    ...(shut ? [on(field, `表格“${field.name}”的列“${shut.name}”不能是关联事项、流水号、审批意见或说明`)] : []),
    ...lost.map((key) => on(field, `字段“${field.name}”要显示意见的环节“${key}”不存在`)),
  ];
}

/** Dates that a field or a column depends on must be in the same form or row, and be dates. */
function pairProblems(part: Field | Column, beside: readonly (Field | Column)[]): string[] {
  const { key: own, name, type, not_before, days_between } = part;
  const named = [...(not_before ? [not_before] : []), ...(days_between ? [days_between.from, days_between.to] : [])];
  const halves = [days_between?.from_half, days_between?.to_half].filter((key) => key !== undefined);
  const wrong = named.filter((key) => key === own || !beside.some((one) => one.key === key && isDated(one.type)));
  const what = 'columns' in part ? '字段' : '列';
  const found = wrong.map((key) => `“${name}”对照的“${key}”不是另一个日期${what}`);
  if (not_before && !isDated(type)) found.push(`“${name}”不是日期，不能要求不早于别的日期`);
  if ('away' in part && part.away && !not_before) found.push(`“${name}”表示期间不在岗，请先为它选好“不早于”的开始日期`);
  if (days_between && !isNumber(type)) found.push(`“${name}”不是数字，不能按日期计算天数`);
  const sayingHalf = (key: string) => beside.some((one) => one.key === key && saysHalfDay(one));
  for (const key of halves.filter((one) => !sayingHalf(one)))
    found.push(`“${name}”用来说半天的“${key}”不是有 am（上午）和 pm（下午）两个选项的单选${what}`);
  if (halves.length > 0 && isWholeType(type)) found.push(`“${name}”是整数，记不下半天，请改为小数`);
  return found;
}

function choiceProblems(field: Field, part: { type: number; name: string; choices: readonly TreeChoice[] }): Problem[] {
  if (!choosing.includes(part.type)) return [];
  if (part.choices.length === 0) return [on(field, `字段“${part.name}”没有选项`)];
  const values = part.choices.map((choice) => choice.value);
  if (new Set(values).size !== values.length) return [on(field, `字段“${part.name}”有重复的选项值`)];
  if (part.type !== fieldType.cascade) return [];
  const reached = new Set(flatChoices(choiceTree(part.choices)).map(({ value }) => value));
  const lost = part.choices.find(({ value }) => !reached.has(value));
  return lost
    ? [on(field, `字段“${part.name}”的选项“${lost.label}”选不到：它的上级不存在，或超过了 ${deepest} 级`)]
    : [];
}

function linkProblems({ states, transitions }: Definition): Problem[] {
  const known = new Set(states.map((state) => state.id));
  return transitions.flatMap((transition) =>
    [transition.source, transition.destination, ...transition.conditions.map((branch) => branch.target_state_id)]
      .filter((id) => !known.has(id))
      .map((id) => along(transition, `流转“${transition.name}”指向的环节 ${id} 不存在`)),
  );
}

function stateProblems(definition: Definition, state: State): Problem[] {
  const byKey = new Map(definition.fields.map((field) => [field.key, field]));
  const exits = exitsOf(definition, state.id);
  const found: Problem[] = [];
  const say = (message: string) => void found.push(at(state, `环节“${state.name}”${message}`));
  for (const key of Object.keys(state.access)) if (!byKey.has(key)) say(`设置了不存在的字段“${key}”`);
  for (const [key, columns] of Object.entries(state.columns ?? {})) {
    const table = byKey.get(key);
    if (table?.type !== fieldType.table) say(`设置了列的权限，但“${table?.name ?? key}”不是表格`);
    else
      for (const column of Object.keys(columns))
        if (!table.columns.some((one) => one.key === column)) say(`设置了表格“${table.name}”里不存在的列“${column}”`);
  }
  if (state.kind === 'end' ? exits.length > 0 : exits.length === 0) {
    say(state.kind === 'end' ? '是结束环节，不能再有流转' : '没有出口，工单会停在这里');
  }
  const splits = splitting.includes(state.kind);
  if (splits && exits.length < 2) say('是分支环节，至少要有两个流转');
  const otherwise = exits.filter((exit) => exit.otherwise);
  const always = exits.some((exit) => exit.conditions.length === 0 && !exit.otherwise);
  if (state.kind !== 'inclusive') {
    for (const exit of otherwise)
      found.push(along(exit, `流转“${exit.name}”指定了“都不满足时走这里”，只有多选分支的流转可以指定`));
  } else if (otherwise.length > 1) say(`有 ${otherwise.length} 个“都不满足时走这里”的流转，只能指定一个`);
  else if (otherwise.length === 0 && !always && exits.length > 0) say('是多选分支，要指定一个“都不满足时走这里”的流转');
  if (state.join_count !== undefined && state.kind !== 'join') say('不是汇合，不能设置几个分支到达就继续');
  const waits = awaitedIn(state) === 'result';
  if (waits) {
    const refusals = exits.filter((exit) => exit.attribute === attributeType.refuse).length;
    if (exits.length !== 2 || refusals !== 1) say('等外部系统回答，要有两个流转：办成时走的，和办不成时走的“拒绝”');
  } else if (automatic.includes(state.kind) && !splits && exits.length > 1) say('是自动环节，只能有一个流转');
  if (state.keep_unchanged && state.kind !== 'approve' && state.kind !== 'handle')
    say('不是审批或办理，不能沿用原来的意见');
  if (state.kind === 'subticket' && exits.length > 1) say('等待下级工单，只能有一个流转');
  if (asksPeople(state) && state.actions.includes('sign') && state.timeout?.action === timeoutAction.agree)
    say('需要手写签名，超时后不能自动同意，请改成提醒、退回或转上级');
  if (state.timeout?.action === timeoutAction.transfer && (state.timeout.users ?? []).length === 0)
    say('超过时限要转给指定的人，请选择转给谁');
  found.push(...childProblems(definition, state), ...byItselfProblems(definition, state));
  found.push(...timerProblems(state, exits));
  found.push(...participantProblems(state, byKey), ...earlierProblems(definition, state));
  return found;
}

function timerProblems(state: State, exits: readonly Transition[]): Problem[] {
  const timed = exits.filter((exit) => exit.timer > 0);
  const say = (exit: Transition, message: string) => along(exit, `环节“${state.name}”的流转“${exit.name}”${message}`);
  if (state.kind === 'delay')
    return exits.filter((exit) => exit.timer === 0).map((exit) => say(exit, '要设置等待的时间'));
  if (awaitedIn(state) === 'result')
    return timed.length === 1
      ? []
      : [at(state, `环节“${state.name}”要给其中一个流转设置时间，外部系统一直不回答时走它`)];
  if (!asksPeople(state)) return timed.map((exit) => say(exit, '不能定时，只有办理、审批、下级工单和等待环节可以'));
  return timed.slice(1).map((exit) => say(exit, '不能再定时，一个环节只能有一个定时流转'));
}

function participantProblems(state: State, fields: ReadonlyMap<string, Field>): Problem[] {
  const found: Problem[] = [];
  const say = (message: string) => void found.push(at(state, `环节“${state.name}”${message}`));
  for (const participant of state.participants) {
    if (participant.type === participantType.hook && state.kind !== 'hook')
      say('的办理人不能是外部调用，请改用“外部调用”环节，或由外部系统给出办理人');
    if (participant.type !== participantType.field && participant.type !== participantType.fieldHeads) continue;
    const field = fields.get(participant.field);
    const heads = participant.type === participantType.fieldHeads;
    if (!field) say(`的办理人字段“${participant.field}”不存在`);
    else if (!(heads ? isDeptType : isPeopleType)(field.type))
      say(`的办理人字段“${field.name}”不是${heads ? '部门' : '人员'}字段`);
  }
  if (state.kind === 'hook' && calledBy(state).length !== 1) say('要选择一个调用的通知方式');
  if (awaitedIn(state) === 'people') found.push(...outsideProblems(state));
  if (!asksPeople(state) && state.kind !== 'cc') return found;
  const somebody = state.participants.some((participant) => participant.type !== participantType.none);
  if (!somebody && (state.kind === 'cc' || refusesInTheEnd(state.on_empty))) say('没有设置办理人');
  if (state.on_empty === onEmpty.users && state.on_empty_users.length === 0) say('没有指定办理人为空时由谁处理');
  return found;
}

/** Faults in references to the deciders of earlier states: these must exist, decide something, and not be the state itself. */
function earlierProblems({ states }: Definition, state: State): Problem[] {
  const asked = state.participants.flatMap((one) => (one.type === participantType.doneBy ? one.state : []));
  const why = (key: string) => {
    const other = states.find((one) => one.key === key);
    if (!other) return `“${key}”不存在`;
    if (other === state) return '就是它自己';
    return other.kind === 'start' || asksPeople(other) ? null : `“${other.name}”没有人办理`;
  };
  return [...asked, ...(state.not_done_by ?? [])].flatMap((key) => {
    const wrong = why(key);
    return wrong === null ? [] : [at(state, `环节“${state.name}”的办理人参照的环节${wrong}，请重新选择`)];
  });
}

/** Faults in asking another system for people, which may not answer or name nobody. */
function outsideProblems(state: State): Problem[] {
  const say = (message: string) => at(state, `环节“${state.name}”${message}`);
  if (state.kind !== 'approve' && state.kind !== 'handle')
    return [say('不能由外部系统给出办理人，只有审批和办理环节可以')];
  return [
    ...(calledBy(state).length > 1 ? [say('只能向一个外部系统要办理人')] : []),
    ...(refusesInTheEnd(state.on_empty) ? [say('由外部系统给出办理人，请设置它没有给出时由谁处理')] : []),
  ];
}
