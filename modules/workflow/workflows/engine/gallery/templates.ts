import { distributeType, fieldAccess, fieldType, participantType, rejectRule } from '../codes.ts';
import { Definition, type DefinitionInput } from '../definition.ts';
import { straight, type Step } from '../straight.ts';
import { itService } from './it-service.ts';
import { leave } from './leave.ts';

export interface Template {
  name: string;
  /** What of it somebody looks for. */
  about: string;
  definition: Definition;
}

const head: Step = { key: 'dept_fzr', name: '部门负责人审批', variable: 'dept_fzr' };
const leader: Step = { key: 'dept_ld', name: '分管领导审批', variable: 'dept_ld' };
type Fields = DefinitionInput['fields'];

/** One step after the other; the form is asked for in full, but for what is attached. */
function plain(name: string, prefix: string, fields: Fields, steps: readonly Step[]): Definition {
  const made = straight({ name, prefix, fields, steps, start: '申请', end: '完成', submit: '提交' });
  const asked = fields.map(({ key, type }) => [
    key,
    type === fieldType.file ? fieldAccess.optional : fieldAccess.required,
  ]);
  const states = made.states.map((state) =>
    state.kind === 'start' ? { ...state, access: { ...state.access, ...Object.fromEntries(asked) } } : state,
  );
  return Definition.parse({ ...made, states });
}
const reason = (id: number) => ({ id, key: 'reason', name: '事由', type: fieldType.textarea, max_length: 1000 });
const files = (id: number, name: string) => ({ id, key: 'files', name, type: fieldType.file, max: 20 });
/** Work of the department's secretary, done with one button. */
const work = (key: string, name: string, agree: string): Step => ({
  key,
  name,
  agree,
  more: { kind: 'handle', participants: [{ type: participantType.variable, variable: 'secretary' }] },
});

/** What a new workflow may begin with; all of it can be changed. */
export const templates: readonly Template[] = [
  { name: '请假', about: '三天以内部门审批，三天以上再报分管领导', definition: leave.definition },
  { name: '服务申请', about: '审批后由办理人员领取、处理', definition: itService.definition },
  {
    name: '用车',
    about: '部门审批后安排车辆',
    definition: plain(
      '用车申请',
      'YC',
      [
        { id: 2, key: 'leaves_at', name: '用车时间', type: fieldType.datetime },
        { id: 3, key: 'to', name: '目的地', type: fieldType.string, max_length: 100 },
        { id: 4, key: 'people', name: '乘车人数', type: fieldType.int, min: 1, max: 60 },
        reason(5),
      ],
      [head, work('send_car', '安排车辆', '已安排')],
    ),
  },
  {
    name: '费用报销',
    about: '逐级审批，附票据，金额自动大写',
    definition: plain(
      '费用报销',
      'BX',
      [
        { id: 2, key: 'amount', name: '金额', type: fieldType.money, min: 0, max: 10_000_000 },
        { id: 3, key: 'paid_on', name: '发生日期', type: fieldType.date },
        reason(4),
        files(5, '票据'),
      ],
      [head, leader, work('pay', '财务付款', '已付款')],
    ),
  },
  {
    name: '物品领用',
    about: '按明细填写，审批后发放',
    definition: plain(
      '物品领用',
      'LY',
      [
        {
          id: 2,
          key: 'items',
          name: '物品',
          type: fieldType.table,
          max_rows: 50,
          columns: [
            { key: 'name', name: '名称', type: fieldType.string, max_length: 100 },
            { key: 'count', name: '数量', type: fieldType.int, min: 1, max: 10_000 },
          ],
        },
        reason(3),
      ],
      [head, work('give', '发放', '已发放')],
    ),
  },
  {
    name: '文件会签',
    about: '校领导同时会签，全部同意才通过',
    definition: plain(
      '文件会签',
      'HQ',
      [reason(2), files(3, '文件')],
      [
        head,
        {
          key: 'countersign',
          name: '校领导会签',
          variable: 'xld',
          more: { distribution: { type: distributeType.all, reject_rule: rejectRule.veto } },
        },
      ],
    ),
  },
];
