import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import { datesOf } from '#modules/workflow/workflows/engine/check/date-pairs.ts';
import { fieldAccess, fieldType, isFileType, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  isSave,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { deptOf, isRegionKey } from '#modules/workflow/workflows/engine/fields/value-words.ts';
import { statesToPickFirst } from '#modules/workflow/workflows/engine/picks.ts';
import { filled, placeholdersOf } from '#modules/workflow/workflows/engine/templates.ts';
import { accessIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { readWrites, shownValue, namedIn, type HandedIn } from '../fields.ts';
import type { Change } from '../form/values.ts';
import { needsWords } from '../ways/buttons.ts';
import { ownAmong } from '../four-eyes.ts';
import { ask } from '../people/people.ts';
import type { Task } from '../state.ts';
import { emit, lastEntry, calledIn, type Work } from '../work.ts';

/** A person's input for a transition. */
export interface Words {
  suggestion: string;
  /** Field values as received; rich text is already sanitised. */
  fields: Readonly<Record<string, unknown>>;
  /** State id → user names picked for it. */
  choose: Readonly<Record<string, readonly string[]>>;
  /** User names of people named in the opinion. */
  mentions?: readonly string[] | undefined;
}

/** Checks everything entered in a state at once, then writes it. Throws `invalid` with every error. */
export function write(work: Work, words: Words, task: Task, transition: Transition, complete: boolean): void {
  const { definition } = work;
  const state = stateOf(definition, task.state_id);
  const first = work.state.seq === 1;
  const fields = first ? { ...defaultsOf(definition, state), ...words.fields } : words.fields;
  const handedIn = complete ? 'complete' : isSave(definition, transition) ? 'draft' : 'sent';
  const { changes, errors } = changesOf(work, state, fields, handedIn, Object.values(words.choose).flat());
  errors.push(...chooseErrors(work, words, state, unknownIn(work)));
  if (complete && state.kind === 'start') errors.push(...unchosen(work, words));
  if (!isSave(definition, transition) && needsWords(transition) && words.suggestion.trim() === '') {
    errors.push({ field: 'suggestion', label: '意见', msg: `“${transition.name}”需要填写意见` });
  } else if (state.kind !== 'start' && words.suggestion.trim() === '') {
    errors.push(...unexplainedDays(definition, state, changes));
  }
  if (errors.length > 0) throw invalid(errors);
  put(work, changes);
  for (const [id, usernames] of Object.entries(words.choose)) {
    emit(work, { type: 'people_chosen', state_id: Number(id), usernames });
  }
  if (state.kind === 'start') retitle(work);
}

/** Somebody who is asked about another person's days and changes their number by the dates must say why; days hidden here are not mentioned. */
function unexplainedDays({ fields }: Definition, here: State, changes: readonly Change[]): FieldError[] {
  const written = new Set(changes.map(({ key }) => key));
  return fields.flatMap((field) => {
    const change = changes.find(({ key }) => key === field.key);
    const days = field.days_between;
    if (
      !change ||
      !days ||
      accessIn(here, field.key) === fieldAccess.hidden ||
      change.from === null ||
      !datesOf(days).some((key) => written.has(key))
    )
      return [];
    const msg = `“${field.name}”由 ${String(change.from)} 改为 ${String(change.to ?? 0)}，请在意见里写明原因`;
    return [{ field: 'suggestion', label: '意见', msg }];
  });
}

/** Writes what another system fills in, as far as the state allows; files come from people only. */
export function writeFields(work: Work, state: State, fields: Words['fields']): void {
  const { changes, errors } = changesOf(work, state, fields, 'sent', []);
  for (const { key } of changes) {
    const field = work.definition.fields.find((candidate) => candidate.key === key);
    const files = [field, ...(field?.columns ?? [])].some((one) => one && isFileType(one.type));
    if (field?.type === fieldType.records)
      errors.push({ field: key, label: field.name, msg: '关联事项只能由办理人选择' });
    if (files) errors.push({ field: key, label: labelOf(work.definition, key), msg: '附件只能由办理人上传' });
  }
  if (errors.length > 0) throw invalid(errors);
  put(work, changes);
}

/** A request's changes in a state and their errors; all user names in it are looked up at once, together with the chosen people. */
function changesOf(work: Work, state: State, fields: Words['fields'], handedIn: HandedIn, picked: readonly string[]) {
  const { definition } = work;
  const { changes, errors } = readWrites(definition, state, work.state.form, fields, handedIn, work.facts.works);
  const named = changes.flatMap((item) => keysIn(definition, item.key, item.to));
  askFor(work, [...named, ...picked]);
  for (const item of changes) {
    const wrong = keysIn(definition, item.key, item.to)
      .map(unknownIn(work))
      .find((msg) => msg !== null);
    if (wrong) errors.push({ field: item.key, label: labelOf(definition, item.key), msg: wrong });
  }
  return { changes, errors };
}

const askFor = (work: Work, keys: readonly string[]) =>
  ask(
    work.facts.people,
    keys.map((key) => {
      const dept = deptOf(key);
      return dept === null ? { kind: 'username', of: key } : { kind: 'dept_there', of: dept };
    }),
  );
const unknownIn = (work: Work) => (key: string) =>
  askFor(work, [key]).length > 0
    ? null
    : deptOf(key) === null
      ? `用户“${calledIn(work, key)}”不存在或已停用`
      : '所选部门已不存在，请重新选择';

function put(work: Work, changes: readonly Change[]): void {
  for (const item of changes) emit(work, { type: 'field_changed', ...item });
  if (changes.some((item) => isKey(work.definition, item.key))) dropStraightBack(work);
}

/** If no key fields are named, every field is one. */
function isKey({ settings }: Definition, key: string): boolean {
  return settings.key_fields.length === 0 || settings.key_fields.includes(key);
}

function dropStraightBack(work: Work): void {
  for (const token of work.state.tokens) {
    if (token.back_to === null) continue;
    const state_id = work.state.tasks.find((task) => task.no === token.back_to)?.state_id ?? token.state_id;
    lastEntry(work).trace.push({ about: 'straight_back', state_id, kept: false });
    emit(work, { type: 'straight_back_dropped', token: token.no });
  }
}

function defaultsOf(definition: Definition, state: State): Record<string, unknown> {
  const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];
  const writable = definition.fields.filter((field) => writing.includes(state.access[field.key]));
  return Object.fromEntries(
    writable.filter((field) => field.default_value !== null).map((field) => [field.key, field.default_value]),
  );
}

function keysIn(definition: Definition, key: string, value: unknown): string[] {
  const field = definition.fields.find((candidate) => candidate.key === key);
  return field ? namedIn(field, value).filter((one) => !isRegionKey(one)) : [];
}

function chooseErrors(work: Work, words: Words, here: State, unknown: (name: string) => string | null): FieldError[] {
  const errors: FieldError[] = [];
  for (const [id, names] of Object.entries(words.choose)) {
    const state = work.definition.states.find((candidate) => candidate.id === Number(id));
    const variable = here.kind === 'start' ? ['creator_select', 'handler_select'] : ['handler_select'];
    const open =
      state?.participants.some((who) => who.type === participantType.variable && variable.includes(who.variable)) ??
      false;
    const own = state && ownAmong(work.state, state, askFor(work, names));
    const wrong = open ? (names.map(unknown).find((msg) => msg !== null) ?? own) : '这个环节的办理人不能选择';
    if (wrong) errors.push({ field: 'choose', label: state?.name ?? '办理人', msg: wrong });
  }
  return errors;
}

/**
 * States that only the applicant can choose people for, however far away: they are required when the ticket is sent, not when it arrives there. A
 * ticket that is not sent from its own page, or is sent from a record's page, has no input for them.
 */
function unchosen({ definition, facts, state: ticket }: Work, { choose }: Words): FieldError[] {
  if (facts.by_itself || facts.of_record) return [];
  const isChosen = ({ id }: State) => [...(choose[id] ?? []), ...(ticket.chosen[id] ?? [])].length > 0;
  return statesToPickFirst(definition)
    .filter((state) => !isChosen(state))
    .map(({ name }) => ({ field: 'choose', label: name, msg: `请选择“${name}”由谁办理` }));
}

function retitle(work: Work): void {
  const { definition, facts } = work;
  const wordsFor = (key: string) => {
    if (key === 'creator') return facts.creator.alias;
    if (key === 'workflow') return definition.name;
    const field = definition.fields.find((candidate) => candidate.key === key);
    return field ? shownValue(field, work.state.form[key], facts.names ?? new Map()) : '';
  };
  const said = placeholdersOf(definition.settings.title_template);
  askFor(
    work,
    said.flatMap((key) => keysIn(definition, key, work.state.form[key])),
  );
  const words = filled(definition.settings.title_template, wordsFor).replace(/\s+/g, ' ').trim();
  const title = [...(words || definition.name)].slice(0, 200).join('');
  if (title !== work.state.title) emit(work, { type: 'titled', title });
}

function labelOf(definition: Definition, key: string): string {
  return definition.fields.find((field) => field.key === key)?.name ?? key;
}
