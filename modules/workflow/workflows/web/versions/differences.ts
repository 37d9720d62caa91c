import { awayKinds, distributeType } from '../../engine/codes.ts';
import type { DaysBetween } from '../../engine/check/date-pairs.ts';
import type { Definition, Doubles } from '../../engine/definition.ts';
import { conditionText, meaningText, type Names } from '../names.ts';
import { participantText } from '../people-text.ts';
import { timeText } from '../timer-text.ts';
import {
  accessNames,
  actionNames,
  attributeNames,
  childrenOnCloseNames,
  childrenOnRetreatNames,
  onLeavingNames,
  distributionNames,
  emptyNames,
  fieldTypeNames,
  kindNames,
  refusalNames,
  rejectNames,
  restNames,
  revokeNames,
  selfNames,
  timeoutNames,
  turnNames,
} from '../words.ts';

export interface Difference {
  kind: 'state' | 'transition' | 'field' | 'settings';
  /** Id of the part; 0 for the settings. */
  id: number;
  name: string;
  change: 'added' | 'removed' | 'changed';
  /** One line for each change: subject, before and after. */
  lines: { what: string; before: string; after: string }[];
}
type Said = Record<string, string>;

/** Changes from one definition to another, part by part, in words. Positions of nodes do not count. */
export function differences(before: Definition, after: Definition, names: Names): Difference[] {
  // Parts are named as they are now, so that a new name is reported at the part and not wherever it is mentioned.
  const inside = {
    ...after,
    states: [...after.states, ...before.states],
    fields: [...after.fields, ...before.fields],
  };
  return [
    ...compare('state', before.states, after.states, (state) => sayState(state, inside, names)),
    ...compare('transition', before.transitions, after.transitions, (one) => sayTransition(one, inside, names)),
    ...compare('field', before.fields, after.fields, sayField),
    ...settingsChange(before, after, names),
  ];
}

function compare<P extends { id: number; name: string }>(
  kind: Difference['kind'],
  old: readonly P[],
  now: readonly P[],
  say: (part: P) => Said,
): Difference[] {
  const found: Difference[] = [];
  for (const part of now) {
    const was = old.find((one) => one.id === part.id);
    if (!was) found.push({ kind, id: part.id, name: part.name, change: 'added', lines: [] });
    else {
      const lines = linesOf(say(was), say(part));
      if (lines.length > 0) found.push({ kind, id: part.id, name: part.name, change: 'changed', lines });
    }
  }
  const kept = new Set(now.map((part) => part.id));
  for (const part of old)
    if (!kept.has(part.id)) found.push({ kind, id: part.id, name: part.name, change: 'removed', lines: [] });
  return found;
}

function linesOf(before: Said, after: Said): Difference['lines'] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((what) => {
    const [was, is] = [before[what] ?? '', after[what] ?? ''];
    return was === is ? [] : [{ what, before: was || '无', after: is || '无' }];
  });
}

const yes = (value: boolean) => (value ? '是' : '否');
const list = (parts: readonly string[]) => parts.join('、');

function sayState(state: Definition['states'][number], inside: Definition, names: Names): Said {
  const fieldName = (key: string) => inside.fields.find((field) => field.key === key)?.name ?? key;
  const columnName = (key: string, column: string) =>
    inside.fields.find((field) => field.key === key)?.columns.find((one) => one.key === column)?.name ?? column;
  const { distribution, timeout } = state;
  return {
    名称: state.name,
    类型: kindNames[state.kind],
    办理人: list(state.participants.map((one) => participantText(one, inside, names))),
    办理方式: distributionNames[distribution.type],
    会签规则:
      distribution.type === distributeType.all
        ? `${rejectNames[distribution.reject_rule]} ${distribution.pass_ratio}%`
        : '',
    有人拒绝时: distribution.type === distributeType.direct ? refusalNames[distribution.reject_rule] : '',
    不能办过的环节: list(
      (state.not_done_by ?? []).map((key) => inside.states.find((one) => one.key === key)?.name ?? key),
    ),
    到达即继续的分支数: state.join_count === undefined ? '' : String(state.join_count),
    其余的分支: state.join_rest ? restNames[state.join_rest] : '',
    各分支怎样办理: state.turns ? turnNames[state.turns] : '',
    只有一人时也要先接单: distribution.type === distributeType.claim && distribution.always ? '是' : '',
    一人可占几席: yes(state.several_seats),
    办理人是发起人时: selfNames[state.on_self],
    找不到办理人时: emptyNames[state.on_empty],
    代为处理的人: list(state.on_empty_users.map(names.person)),
    已同意过的人: state.dedupe === 'round' ? '不再询问' : '再次询问',
    内容没有变化时沿用原来的同意: yes(state.keep_unchanged ?? false),
    优先上次处理的人: yes(state.remember_last),
    字段权限: list(
      Object.entries(state.access)
        .map(([key, value]) => `${fieldName(key)} ${accessNames[value]}`)
        .sort(),
    ),
    列的权限: list(
      Object.entries(state.columns ?? {})
        .flatMap(([key, columns]) =>
          Object.entries(columns).map(
            ([column, value]) => `${fieldName(key)}的${columnName(key, column)} ${accessNames[value]}`,
          ),
        )
        .sort(),
    ),
    允许的操作: list(state.actions.map((action) => actionNames[action])),
    ...Object.fromEntries(names.meanings.map((meaning) => [meaning.title, meaningText(state, meaning)])),
    有人办理后仍可撤回: yes(state.label['retreat'] === 'always'),
    时限: timeout
      ? `${timeout.hours} ${timeout.working_time ? '个工作小时' : '小时'}后${timeoutNames[timeout.action]}${timeout.before ? `，到期前 ${timeout.before} 小时提醒` : ''}`
      : '',
    等外部系统回答: state.waits ? '是' : '',
    自动发起下级工单: state.children
      ? `流程 ${state.children.workflow}，按“${fieldName(state.children.each)}”，带 ${Object.keys(state.children.values).length} 项`
      : '',
    在步骤中隐藏: yes(state.hidden),
  };
}

function sayTransition(one: Definition['transitions'][number], inside: Definition, names: Names): Said {
  const stateName = (id: number) => inside.states.find((state) => state.id === id)?.name ?? String(id);
  return {
    名称: one.name,
    从: stateName(one.source),
    到: stateName(one.destination),
    性质: attributeNames[one.attribute],
    条件: one.conditions
      .map((branch) => `${conditionText(branch.expression, inside, names)} → ${stateName(branch.target_state_id)}`)
      .join('；'),
    都不满足时走这里: one.otherwise ? '是' : '',
    检查必填: yes(one.field_require_check),
    提示: one.alert_enable ? one.alert_text || '是' : '',
    必须写意见: yes(one.suggestion_required),
    定时: timeText(one),
    结束所有分支: one.leaves_branches ? '是' : '',
    只在另一分支办到这里时可用: list(
      (one.only_at ?? []).map((key) => inside.states.find((state) => state.key === key)?.name ?? key),
    ),
  };
}

function sayField(field: Definition['fields'][number]): Said {
  return {
    名称: field.name,
    标识: field.key,
    类型: fieldTypeNames[field.type],
    说明: field.description,
    占位提示: field.placeholder,
    范文: field.template,
    默认值: field.default_value === null ? '' : String(field.default_value),
    选项: list(field.choices.map(({ label, value, parent }) => `${label}（${parent ? `${parent}/` : ''}${value}）`)),
    事项类型: field.module ?? '',
    可填我的位置: field.position ? '是' : '',
    显示意见的环节: list(field.of_states ?? []),
    最多行数: field.columns.length > 0 ? String(field.max_rows) : '',
    最大字数: field.max_length === undefined ? '' : String(field.max_length),
    最小值: field.min === undefined ? '' : String(field.min),
    最大值: field.max === undefined ? '' : String(field.max),
    不早于: field.not_before ?? '',
    期间不在岗: field.away ? awayKinds[field.away] : '',
    计算天数: field.days_between ? sayDays(field.days_between) : '',
    列: list(field.columns.map(sayColumn)),
  };
}

const sayDays = ({ from, to, from_half, to_half, working }: DaysBetween) =>
  [`${from} 至 ${to}`, working ? '只计工作日' : '', list([from_half, to_half].filter((key) => key !== undefined))]
    .filter((part) => part !== '')
    .join('，');

function sayColumn({
  name,
  type,
  required,
  not_before,
  days_between,
}: Definition['fields'][number]['columns'][number]): string {
  const said = [
    fieldTypeNames[type],
    ...(required ? ['必填'] : []),
    ...(not_before ? [`不早于 ${not_before}`] : []),
    ...(days_between ? [`计算 ${sayDays(days_between)} 的天数`] : []),
  ];
  return `${name}（${said.join('，')}）`;
}

function settingsChange(before: Definition, after: Definition, names: Names): Difference[] {
  const lines = linesOf(saySettings(before, names), saySettings(after, names));
  return lines.length > 0 ? [{ kind: 'settings', id: 0, name: '流程设置', change: 'changed', lines }] : [];
}

/** The words of a template, its fields in brackets. */
function printedWords(template: string, nameOf: (key: string) => string): string {
  const named = template.replace(
    /<span data-variable="([^"]*)"><\/span>/g,
    (_all, key: string) => `【${nameOf(key)}】`,
  );
  return new DOMParser().parseFromString(named, 'text/html').body.textContent;
}

const sayDoubles = ({ fields, days, own, rule }: Doubles, nameOf: (key: string) => string): string =>
  `${list(fields.map(nameOf))}在 ${days} 天内${own ? '与本人的' : '与任何人的'}工单相同时${rule === 'ask' ? '先询问' : '不允许提交'}`;

type Named = Pick<Definition['settings']['limit'], 'users' | 'depts' | 'roles'>;

const sayNamed = ({ users, depts, roles }: Named, names: Names): string =>
  list([...users.map(names.person), ...depts.map(names.dept), ...roles.map(names.role)]);

function saySettings({ settings, fields }: Definition, names: Names): Said {
  const fieldName = (key: string) => fields.find((field) => field.key === key)?.name ?? key;
  const { number_rule: rule, limit } = settings;
  return {
    标题: settings.title_template,
    内容: settings.content_template,
    打印模板: settings.print_template ? printedWords(settings.print_template, fieldName) : '',
    编号: `${rule.prefix} ${rule.digits} 位，按${{ day: '日', month: '月', year: '年' }[rule.period]}`,
    仅关联人可看: yes(settings.view_permission_check),
    只看时显示的字段: list(settings.display_form.map(fieldName)),
    退回后重新提交: settings.resubmit_mode === 2 ? '关键字段未改时直达退回人' : '从头审批',
    关键字段: list(settings.key_fields.map(fieldName)),
    发起范围: sayNamed(limit, names),
    不可发起: limit.except ? sayNamed(limit.except, names) : '',
    代他人发起: (settings.start_for ?? [])
      .map(({ users, roles, groups, own_dept, depts }) => {
        const who = [...users.map(names.person), ...roles.map(names.role), ...groups.map(names.group)];
        return `${list(who)} 代 ${list([...(own_dept ? ['本部门'] : []), ...depts.map(names.dept)])}`;
      })
      .join('；'),
    提交时查重: settings.doubles ? sayDoubles(settings.doubles, fieldName) : '',
    同时未办结: limit.concurrent_open === null ? '' : String(limit.concurrent_open),
    频次: limit.rate ? `${limit.rate.period} 小时 ${limit.rate.count} 次` : '',
    办结后作废: revokeNames[settings.revoke],
    关闭时的下级工单: childrenOnCloseNames[settings.children_on_close],
    办理人离岗后: onLeavingNames[settings.on_leaving],
    撤回时的下级工单: childrenOnRetreatNames[settings.children_on_retreat],
    通知方式: settings.notices.join('、'),
  };
}
