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
  type ParticipantVariable,
  type StateKind,
} from '../engine/codes.ts';
import type { StateAction } from '../engine/definition.ts';

/** Numbers and codes of a definition in words. */
export const kindNames: Record<StateKind, string> = {
  start: '发起',
  approve: '审批',
  handle: '办理',
  cc: '抄送',
  condition: '条件',
  parallel_split: '并行分支',
  join: '汇合',
  inclusive: '多选分支',
  subticket: '下级工单',
  hook: '外部调用',
  delay: '等待',
  end: '结束',
};
export const participantNames = {
  [participantType.none]: '无',
  [participantType.user]: '指定一人',
  [participantType.users]: '指定多人',
  [participantType.dept]: '部门',
  [participantType.role]: '角色',
  [participantType.variable]: '按组织关系',
  [participantType.field]: '表单中的人员',
  [participantType.fieldHeads]: '表单中部门的负责人',
  [participantType.parentField]: '上级工单中的人员',
  [participantType.hook]: '外部调用',
  [participantType.external]: '外部系统提供',
  [participantType.deptHeads]: '指定部门的负责人',
  [participantType.superior]: '发起人的某一级上级',
  [participantType.superiors]: '发起人的各级上级',
  [participantType.post]: '职务',
  [participantType.group]: '用户组',
  [participantType.doneBy]: '办过某个环节的人',
} as const;
export const variableNames: Record<ParticipantVariable, string> = {
  creator: '发起人',
  creator_head: '发起人的上级',
  dept_fzr: '部门负责人',
  dept_ld: '分管领导',
  secretary: '秘书',
  xld: '校领导',
  creator_select: '发起人选择',
  handler_select: '上一环节选择',
};
export const distributionNames = {
  [distributeType.claim]: '先接单再办理',
  [distributeType.direct]: '任一人办理',
  [distributeType.random]: '随机一人办理',
  [distributeType.all]: '会签（全部处理）',
  [distributeType.sequential]: '依次处理',
  [distributeType.leastLoaded]: '待办最少的一人办理',
  [distributeType.inTurn]: '轮流一人办理',
} as const;
export const rejectNames = {
  [rejectRule.veto]: '一人拒绝即退回',
  [rejectRule.ratio]: '同意达到比例即通过',
  [rejectRule.wait]: '全部表态后再定',
} as const;
/** Levels that have nobody but people of lower levels. */
export const gapNames = { skip: '跳过，不算一级', count: '照算一级，由其他人办理' } as const;
/** Rules for states in which the first to act decides. */
export const refusalNames = {
  [rejectRule.veto]: '一人拒绝即退回',
  [rejectRule.wait]: '其他人还可以同意，都拒绝才退回',
} as const;
export const selfNames = {
  [onSelf.asUsual]: '照常由本人处理',
  [onSelf.skip]: '自动跳过',
  [onSelf.superior]: '转上级处理',
} as const;
export const emptyNames = {
  [onEmpty.pass]: '直接通过',
  [onEmpty.refuse]: '不允许提交',
  [onEmpty.users]: '由指定人员处理',
  [onEmpty.admins]: '由流程管理员处理',
  [onEmpty.up]: '逐级上溯到有负责人的部门',
} as const;
export const timeoutNames = {
  [timeoutAction.none]: '不处理',
  [timeoutAction.remind]: '提醒办理人',
  [timeoutAction.agree]: '自动同意',
  [timeoutAction.giveBack]: '自动退回',
  [timeoutAction.escalate]: '升级到上级',
  [timeoutAction.transfer]: '转给指定的人',
} as const;
export const attributeNames = {
  [attributeType.agree]: '同意',
  [attributeType.refuse]: '拒绝',
  [attributeType.other]: '其他',
} as const;
export const fieldTypeNames = {
  [fieldType.note]: '说明文字',
  [fieldType.string]: '单行文字',
  [fieldType.phone]: '手机号',
  [fieldType.identity]: '身份证号',
  [fieldType.serial]: '流水号',
  [fieldType.place]: '地点',
  [fieldType.int]: '整数',
  [fieldType.rating]: '评分',
  [fieldType.float]: '小数',
  [fieldType.money]: '金额',
  [fieldType.bool]: '是否',
  [fieldType.date]: '日期',
  [fieldType.dateRange]: '日期区间',
  [fieldType.datetime]: '日期时间',
  [fieldType.radio]: '单选',
  [fieldType.checkbox]: '多选',
  [fieldType.select]: '下拉单选',
  [fieldType.region]: '省市区',
  [fieldType.cascade]: '级联选择',
  [fieldType.multiSelect]: '下拉多选',
  [fieldType.textarea]: '多行文字',
  [fieldType.richtext]: '富文本',
  [fieldType.user]: '人员',
  [fieldType.users]: '多名人员',
  [fieldType.dept]: '部门',
  [fieldType.depts]: '多个部门',
  [fieldType.file]: '附件',
  [fieldType.image]: '图片',
  [fieldType.records]: '关联事项',
  [fieldType.table]: '表格',
  [fieldType.opinions]: '审批意见',
} as const;
export const accessNames = {
  [fieldAccess.read]: '只读',
  [fieldAccess.required]: '必填',
  [fieldAccess.optional]: '可填',
  [fieldAccess.hidden]: '隐藏',
} as const;
export const actionNames: Record<StateAction, string> = {
  deliver: '转交',
  delegate: '委派',
  add_node: '加签',
  return: '退回',
  retreat: '撤回',
  cc: '抄送',
  batch: '批量处理',
  sign: '手写签名',
};
/** Rules for branches that a join does not wait for. */
export const restNames = { end: '随即结束，等候中的待办取消', run: '继续办理，只供记录' } as const;
/** Rules for the order of branches. */
export const turnNames = {
  together: '同时办理',
  branch: '逐个办理：办完一个分支再办另一个',
  state: '逐个办理：每办完一个环节可以换分支',
} as const;
export const revokeNames = {
  nobody: '不允许',
  admins: '由有干预权限的人员作废',
  creator: '由有干预权限的人员或发起人作废',
} as const;
export const onLeavingNames = {
  stand_in: '先转给代办人，没有的转给上级，再没有的转给流程管理员',
  head: '转给上级，没有的转给流程管理员',
  admins: '转给流程管理员',
} as const;
export const childrenOnCloseNames = { close: '一并关闭', keep: '继续办理' } as const;
export const childrenOnRetreatNames = { refuse: '办完之前不能撤回决定', close: '随撤回一并关闭' } as const;

/** Choices of a select from such a table of numbers, in numerical order. */
export function numbered<T extends number>(names: Readonly<Record<T, string>>): { value: T; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value: Number(value) as T, label: label as string }));
}
/** The same for codes. */
export function coded<T extends string>(names: Readonly<Record<T, string>>): { value: T; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value: value as T, label: label as string }));
}
