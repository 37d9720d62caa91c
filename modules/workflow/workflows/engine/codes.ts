import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';

/** Numbers of the wire with their names, used by definitions, tables and calls alike. */
export const stateType = { normal: 0, start: 1, end: 2 } as const;
export const stateKinds = [
  'start',
  'approve',
  'handle',
  'cc',
  'condition',
  'parallel_split',
  'join',
  'inclusive',
  'subticket',
  'hook',
  'delay',
  'end',
] as const;
export const participantType = {
  none: 0,
  user: 1,
  users: 2,
  dept: 3,
  role: 4,
  variable: 5,
  /** The heads of the departments in a field of the form. */
  fieldHeads: 6,
  field: 7,
  parentField: 8,
  hook: 10,
  external: 11,
  /** The heads of departments that the workflow names. */
  deptHeads: 12,
  /** The creator's superiors at one level, or at every level up to one. */
  superior: 13,
  superiors: 14,
  /** All holders of a post, by its name. */
  post: 15,
  /** Lists of people that an administrator keeps. */
  group: 16,
  /** The people who decided an earlier state. */
  doneBy: 17,
} as const;
export const participantVariables = [
  'creator',
  'creator_head',
  'dept_fzr',
  'dept_ld',
  'secretary',
  'xld',
  'creator_select',
  'handler_select',
] as const;
/**
 * 1 claim first, 2 the first to act, 3 one drawn by lot, 4 everybody at once, 5 one after the other, 6 the one with the fewest tasks, 7 the one whose
 * turn it is.
 */
export const distributeType = {
  claim: 1,
  direct: 2,
  random: 3,
  all: 4,
  sequential: 5,
  leastLoaded: 6,
  inTurn: 7,
} as const;
/** The rules for refusals when everybody decides: one refusal is enough, a share of agreements is enough, wait for all. */
export const rejectRule = { veto: 1, ratio: 2, wait: 3 } as const;
export const onSelf = { asUsual: 1, skip: 2, superior: 3 } as const;
/** Up: the heads of the nearest department above that has any; if none has, as if refused. */
export const onEmpty = { pass: 1, refuse: 2, users: 3, admins: 4, up: 5 } as const;
/** True if a rule for nobody refuses in the end: at once, or where nobody above is found either. */
export const refusesInTheEnd = (rule: number): boolean => rule === onEmpty.refuse || rule === onEmpty.up;
export const timeoutAction = { none: 0, remind: 1, agree: 2, giveBack: 3, escalate: 4, transfer: 5 } as const;
export const attributeType = { agree: 1, refuse: 2, other: 3 } as const;
export const fieldType = {
  /** Text of the form itself: nobody writes it. */
  note: 1,
  string: 5,
  phone: 6,
  identity: 7,
  /** The ticket's own number, given when it is sent. */
  serial: 8,
  /** A place in words. */
  place: 9,
  int: 10,
  rating: 12,
  float: 15,
  /** In yuan, with two decimals. */
  money: 16,
  bool: 20,
  date: 25,
  /** Two days, the later not before the earlier. */
  dateRange: 26,
  datetime: 30,
  radio: 35,
  checkbox: 40,
  select: 45,
  /** A path of codes from the province down. */
  region: 46,
  /** A path of choices, each below the one before. */
  cascade: 47,
  multiSelect: 50,
  textarea: 55,
  richtext: 58,
  user: 60,
  dept: 65,
  users: 70,
  depts: 75,
  file: 80,
  image: 82,
  /** Records of one module, by id. */
  records: 85,
  table: 90,
  /** The opinions given in some states. */
  opinions: 95,
} as const;
const numberTypes: readonly number[] = [fieldType.int, fieldType.rating, fieldType.float, fieldType.money];
export const isNumberType = (type: number): boolean => numberTypes.includes(type);
/** Numbers without a fraction. */
export const isWholeType = (type: number): boolean => type === fieldType.int || type === fieldType.rating;
/** Fields that only show something. */
export const isShownOnly = (type: number): boolean =>
  type === fieldType.note || type === fieldType.serial || type === fieldType.opinions;
/** True if a field holds a path from the top of a tree. */
export const isPathType = (type: number): boolean => type === fieldType.region || type === fieldType.cascade;
/** True if a field holds files, by id. */
export const isFileType = (type: number): boolean => type === fieldType.file || type === fieldType.image;
/** True if a field names people, by user name. */
export const isPeopleType = (type: number): boolean => type === fieldType.user || type === fieldType.users;
/** True if a field names departments, by id. */
export const isDeptType = (type: number): boolean => type === fieldType.dept || type === fieldType.depts;
/** Reasons for which somebody is away between two dates of a form. */
export const awayKinds = { leave: '请假', trip: '出差', outing: '外出' } as const;
export type AwayKind = keyof typeof awayKinds;
export const fieldAccess = { read: 1, required: 2, optional: 3, hidden: 4 } as const;
export const actState = codeSet({
  draft: [0, '草稿'],
  ongoing: [1, '待审'],
  returned: [2, '已退回'],
  withdrawn: [3, '已撤回'],
  finished: [4, '已通过'],
  closed: [5, '已关闭'],
  finishAsked: [6, '申请办结'],
});
/** Final states of a ticket. */
export const overStates: readonly number[] = [actState.finished, actState.closed];
export const isOverState = (act_state: number): boolean => overStates.includes(act_state);
/** States in which people act and the clock runs. */
export const isRunningState = (act_state: number): boolean =>
  actState.is(act_state, actState.ongoing, actState.finishAsked);
/** Name of the state of a ticket closed because it was refused for good. */
export const refusedName = '未通过';
export const interveneType = {
  normal: 0,
  deliver: 1,
  addNode: 2,
  addNodeEnd: 3,
  accept: 4,
  comment: 5,
  delete: 6,
  close: 7,
  state: 8,
  hook: 9,
  retreat: 10,
  urge: 11,
  cc: 12,
  read: 13,
  agent: 14,
  timeout: 15,
} as const;

export type StateKind = (typeof stateKinds)[number];
export type ParticipantVariable = (typeof participantVariables)[number];
export type AttributeType = (typeof attributeType)[keyof typeof attributeType];
export type FieldType = (typeof fieldType)[keyof typeof fieldType];
export type FieldAccess = (typeof fieldAccess)[keyof typeof fieldAccess];
export type ActState = CodeOf<typeof actState>;
export type InterveneType = (typeof interveneType)[keyof typeof interveneType];

/** The `type_id` of a state on the wire. */
export function stateTypeOf(kind: StateKind): 0 | 1 | 2 {
  return kind === 'start' ? stateType.start : kind === 'end' ? stateType.end : stateType.normal;
}
