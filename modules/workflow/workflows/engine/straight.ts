import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  onEmpty,
  participantType,
  rejectRule,
} from './codes.ts';
import { Definition, type DefinitionInput } from './definition.ts';

type State = DefinitionInput['states'][number];
type Fields = DefinitionInput['fields'];

/** The first button of every seeded flow: saves the draft. */
export const saving = {
  id: 1,
  key: 'save',
  name: '保存',
  source: 1,
  destination: 1,
  attribute: attributeType.other,
  field_require_check: false,
} as const;

/** One step of a straight flow: its people, and the name of its agreement. */
export interface Step {
  key: string;
  name: string;
  agree?: string;
  /** `dept_fzr`, `dept_ld`: of the creator's department. */
  variable?: 'dept_fzr' | 'dept_ld' | 'xld';
  roles?: string[];
  /** Further properties of its state. */
  more?: Partial<State>;
}
interface Straight {
  name: string;
  /** Names of the first and the last state, and of the first button. */
  start?: string;
  end?: string;
  submit?: string;
  steps: readonly Step[];
  prefix: string;
  /** Further fields that the creator fills in, besides the title. */
  fields?: Fields;
  /** The people who may revoke it once it is decided; those who may intervene unless given. */
  revoke?: 'nobody' | 'admins' | 'creator';
}

/** A flow of successive steps, each of which agrees or returns it to the creator; by default the form is only a title. */
export function straight({
  name,
  start = '起草',
  end = '办结',
  submit = '提交审批',
  steps,
  prefix,
  fields = [],
  revoke,
}: Straight): Definition {
  const read = Object.fromEntries(fields.map(({ key }) => [key, fieldAccess.read]));
  const written = Object.fromEntries(fields.map(({ key }) => [key, fieldAccess.optional]));
  const last = steps.length + 2;
  const states = steps.map(({ key, name: title, variable, roles, more }, index): State => ({
    id: index + 2,
    key,
    name: title,
    kind: 'approve',
    order: index + 2,
    participants: [
      variable ? { type: participantType.variable, variable } : { type: participantType.role, roles: roles ?? [] },
    ],
    distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
    on_empty: onEmpty.admins,
    access: { title: fieldAccess.read, ...read },
    actions: ['deliver', 'delegate', 'add_node', 'return', 'cc', 'retreat'],
    ...more,
  }));
  const decided = states.flatMap(({ id }, index) => [
    {
      id: 3 + index * 2,
      key: `agree_${id}`,
      name: steps[index]!.agree ?? '同意',
      source: id,
      destination: id + 1,
      attribute: attributeType.agree,
    },
    {
      id: 4 + index * 2,
      key: `refuse_${id}`,
      name: '退回起草人',
      source: id,
      destination: 1,
      attribute: attributeType.refuse,
      suggestion_required: true,
    },
  ]);
  return Definition.parse({
    name,
    fields: [{ id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 200 }, ...fields],
    states: [
      {
        id: 1,
        key: 'draft',
        name: start,
        kind: 'start',
        order: 1,
        access: { title: fieldAccess.required, ...written },
      },
      ...states,
      { id: last, key: 'done', name: end, kind: 'end', order: last },
    ],
    transitions: [
      saving,
      { id: 2, key: 'submit', name: submit, source: 1, destination: 2, attribute: attributeType.agree },
      ...decided,
    ],
    settings: {
      title_template: '{title}',
      content_template: '{title}',
      number_rule: { prefix, digits: 4, period: 'day' },
      display_form: ['title'],
      revoke,
    },
  });
}
