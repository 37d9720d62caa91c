import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  onEmpty,
  onSelf,
  participantType,
  rejectRule,
  timeoutAction,
} from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { saving } from '#modules/workflow/workflows/engine/straight.ts';

type State = DefinitionInput['states'][number];
type Transition = DefinitionInput['transitions'][number];

export const title: DefinitionInput['fields'][number] = {
  id: 1,
  key: 'title',
  name: '标题',
  type: fieldType.string,
  max_length: 200,
};
/** Heads of the departments that countersign; filled in from the document. */
export const countersigners: DefinitionInput['fields'][number] = {
  id: 2,
  key: 'countersigners',
  name: '会签人',
  type: fieldType.users,
  max: 30,
};

/** The issuer: named by the author, or by the office after its check; filled in from the document. */
export const issuer: DefinitionInput['fields'][number] = {
  id: 3,
  key: 'issuer',
  name: '签发人',
  type: fieldType.user,
};

const { read, required, optional } = fieldAccess;
const asked = { title: read, countersigners: read };
const shared = ['deliver', 'delegate', 'add_node', 'return', 'cc'] as const;

export const start = (name: string): State => ({
  id: 1,
  key: 'draft',
  name,
  kind: 'start',
  order: 1,
  access: { title: required, countersigners: optional },
  actions: ['cc'],
});
export const end = (id: number): State => ({ id, key: 'done', name: '办结', kind: 'end', order: id });

const byVariable = (variable: 'dept_fzr' | 'dept_ld' | 'xld'): Partial<State> => ({
  participants: [{ type: participantType.variable, variable }],
});
/** The party and administration office. Documents by one of its members are checked by the others, or by those above them. */
export const byOffice: Partial<State> = { participants: [{ type: participantType.role, roles: ['office_admin'] }] };
export const byHead: Partial<State> = {
  ...byVariable('dept_fzr'),
  on_self: onSelf.skip,
  actions: [...shared, 'retreat'],
};
export const byLeaderInCharge: Partial<State> = { ...byVariable('dept_ld'), on_self: onSelf.skip };
/** Consent here signs the document: `record/events.ts` sets the date and locks the body. */
const signs: State['label'] = { document: 'sign' };
/** A leader's own document goes to the other leaders, or to those above them. */
export const bySchoolLeader: Partial<State> = { ...byVariable('xld'), label: signs };
/** The named issuer only. */
export const byIssuer: Partial<State> = {
  participants: [{ type: participantType.field, field: issuer.key }],
  label: signs,
};
/** The decider may apply for the completion of a finished document. */
export const asksForCompletion: State['label'] = { finish: 'ask' };
/** In working hours: a department that does not answer in time is reminded and shown as late; silence is never consent. */
const countersignHours = 16;
/** A signed body may be corrected here, and then returns to the signer. */
export const reviewed: Partial<State> = { ...byOffice, label: { document: 'review' } };
/** Consent here gives the number. */
export const numbered: Partial<State> = { ...byOffice, label: { document: 'number' } };
/** Consent here prints the document: its 印发机关 and 印发日期 are fixed. */
export const printed: Partial<State> = { ...byOffice, label: { document: 'print' } };
/** The same, and from here on it may be distributed. */
export const issued: Partial<State> = { ...printed, label: { document: 'print', distribute: 'from' } };
/** Everybody decides, and one refusal returns it; without people it is skipped. */
export const bySeveral = (field: string): Partial<State> => ({
  participants: [{ type: participantType.field, field }],
  distribution: { type: distributeType.all, reject_rule: rejectRule.veto },
  on_self: onSelf.skip,
  on_empty: onEmpty.pass,
  timeout: { hours: countersignHours, working_time: true, action: timeoutAction.remind },
  label: { document: 'countersign' },
});

/** The office confirms that a finished document is done: it is closed, or returned to be carried on. */
export const completion = (id: number): State => ({
  ...step(id, 'complete', '办结确认', byOffice),
  label: { finish: 'confirm' },
  actions: ['deliver'],
});
export const completing = (id: number, source: number, end: number): Transition[] => [
  agree(id, source, end, '确认办结'),
  refuse(id + 1, source, end, '继续办理'),
];

export const step = (
  id: number,
  key: string,
  name: string,
  by: Partial<State>,
  kind: State['kind'] = 'approve',
): State => ({
  id,
  key,
  name,
  kind,
  order: id,
  distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
  // A document to be executed may be executed by its own author.
  ...(kind === 'handle' ? { on_self: onSelf.asUsual } : {}),
  on_empty: onEmpty.admins,
  access: asked,
  actions: [...shared],
  ...by,
});

export const first = (destination: number): Transition[] => [
  saving,
  { id: 2, key: 'submit', name: '提交', source: 1, destination, attribute: attributeType.agree },
];
export const agree = (
  id: number,
  source: number,
  destination: number,
  name = '同意',
  more: Partial<Transition> = {},
): Transition => ({
  id,
  key: `agree_${source}`,
  name,
  source,
  destination,
  attribute: attributeType.agree,
  ...more,
});
export const refuse = (id: number, source: number, destination = 1, name = '退回拟稿人'): Transition => ({
  id,
  key: `refuse_${source}`,
  name,
  source,
  destination,
  attribute: attributeType.refuse,
  field_require_check: false,
  suggestion_required: true,
});

export const settings: DefinitionInput['settings'] = {
  title_template: '{title}',
  content_template: '{title}',
  number_rule: { prefix: 'DOC', digits: 4, period: 'day' },
  display_form: ['title'],
};
