import { Select, Tag } from 'antd';
import type { ButtonProps } from 'antd';
import type { Calls } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { fieldsOf as fieldsOfShape, type Instead } from '#kernel/web/kit/form/fields.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { FilesInput } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { orderStage } from '../../contract/codes.ts';
import { orders } from '../../contract/orders.ts';
import { categories } from '../../contract/settings.ts';
import { MaterialsInput } from './MaterialsInput.tsx';

type AnyCall = Calls[string];
/** The fields of an order that its actions need. */
export interface Target {
  id: number;
  version: number;
  sn: string;
  title: string;
  actions: readonly string[];
  [more: string]: unknown;
}

export const useCategories = () =>
  (useCall(categories.list, { query: { per_page: 100, is_active: true } }).data?.value ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
function CategorySelect({ control }: { control: FieldControl }) {
  const options = useCategories();
  return (
    <Select
      {...(control as object)}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder="请选择故障类别"
      options={options}
    />
  );
}
const pictures = ({ value, onChange, ...control }: FieldControl) => (
  <FilesInput
    {...control}
    label="照片"
    module="orders"
    value={(value as number[]) ?? []}
    onChange={(ids) => onChange?.(ids)}
    accept="image/*"
  />
);
/** Chooses handlers: the order's team first, with their load. */
export function HandlerSelect({ control, id }: { control: FieldControl; id: number }) {
  const { data } = useCall(orders.handlers, { params: { id } });
  const most = Math.max(1, ...(data?.value ?? []).map((one) => one.open));
  return (
    <Select
      {...(control as object)}
      mode="multiple"
      placeholder="不选则由班组抢单"
      showSearch={{ optionFilterProp: 'name' }}
      options={(data?.value ?? []).map((one) => ({
        value: one.id,
        name: one.alias,
        label: (
          <span className="kit-row">
            {one.alias}
            <progress max={most} value={one.open} aria-label={`手上 ${one.open} 张`} />
            <span className="kit-muted">
              {one.open} 张{one.today > 0 && `，今天预约 ${one.today}`}
              {one.skill > 0 && `，修过 ${one.skill} 次`}
            </span>
            {one.near && <Tag color="success">在附近</Tag>}
            {!one.in_team && <Tag>其他班组</Tag>}
          </span>
        ),
      }))}
    />
  );
}
const instead: Instead = {
  category_id: { render: (control) => <CategorySelect control={control} /> },
  photos: { render: pictures },
  result_photos: { render: pictures },
  appoint_time: { kind: 'datetime-local' },
  hang_until: { kind: 'datetime-local' },
  materials: { render: (control) => <MaterialsInput control={control} /> },
  reporter: { render: (control) => <PersonPicker {...(control as object)} by="id" /> },
  handlers: null,
  asset_id: null,
};
/** Fields of a call's form: those named, in that order; all by default. */
export function orderFields(call: AnyCall, names?: readonly string[], more: Instead = {}): FormField[] {
  const fields = fieldsOfShape(shapeOf(call.body), { ...instead, ...more });
  return names ? names.flatMap((name) => fields.find((field) => field.name === name) ?? []) : fields;
}

/** An action of an order: what sends it, the fields of its form, and their labels. */
interface Action {
  label: string;
  call: AnyCall;
  also?: object;
  fields?: readonly string[];
  labels?: Readonly<Record<string, string>>;
  danger?: true;
}
const does = (action: string, label: string, fields?: readonly string[], more: Partial<Action> = {}): Action => ({
  label,
  call: orders.act,
  also: { action },
  ...(fields ? { fields } : {}),
  ...more,
});
const to = (s: number, label: string, fields?: readonly string[], more: Partial<Action> = {}): Action => ({
  label,
  call: orders.statePost,
  also: { s },
  ...(fields ? { fields } : {}),
  ...more,
});
const danger = { danger: true } as const;
const reasons = { labels: { words: '原因', remark: '原因' } };
/** The actions of an order, the likely ones first; each with the fields of its call. */
const actions: Readonly<Record<string, Action>> = {
  accept: does('accept', '受理'),
  assign: does('assign', '派单', ['handlers', 'words']),
  take: does('take', '接单'),
  start: does('start', '到场'),
  finish: to(6, '完工', ['result_photos', 'result', 'materials', 'fee']),
  resume: does('resume', '恢复'),
  confirm: to(4, '确认修好'),
  comment: {
    label: '评价',
    call: orders.comment,
    fields: ['score', 'content', 'speed', 'quality', 'attitude'],
  },
  hang: does('hang', '挂起', ['hang_kind', 'hang_until', 'words'], { labels: { words: '说明' } }),
  progress: does('progress', '登记进展', ['words', 'appoint_time'], {
    labels: { words: '进展', appoint_time: '改约到' },
  }),
  material: does('material', '登记材料', ['materials']),
  fee: does('fee', '费用', ['fee', 'words']),
  visit: { label: '登记回访', call: orders.visit, fields: ['words'] },
  merge: { label: '合并', call: orders.merge, fields: ['into', 'reason'] },
  release: does('release', '退单', ['words'], { ...reasons, ...danger }),
  refuse: does('refuse', '退回', ['words'], { ...reasons, ...danger }),
  rework: to(1, '没修好，返工', ['remark'], { labels: { remark: '哪里没修好' }, ...danger }),
  withdraw: to(3, '撤回', ['remark']),
  close: to(5, '关闭', ['remark'], { ...reasons, ...danger }),
};
/** The actions that are filled where they come first. */
const likely = ['accept', 'assign', 'take', 'start', 'finish', 'resume', 'confirm', 'comment'];

/** Chooses the open order of the place into which this one is merged. */
function SimilarSelect({ control, row }: { control: FieldControl; row: Target }) {
  const { building = '', floor = '', room = '' } = row as { building?: string; floor?: string; room?: string };
  const { data } = useCall(orders.similar, { query: { building, floor, room, id: row.id } });
  const options = (data?.value ?? []).map((one) => ({ value: one.id, label: `${one.sn} ${one.title}` }));
  return (
    <Select
      {...(control as object)}
      placeholder="同一处未完的订单"
      options={options}
      notFoundContent="同一处没有其他未完的订单"
    />
  );
}

type Send = (row: Target, key: string, body: object) => void;
function actOf(key: string, { label, call, also, fields, labels = {}, ...look }: Action, send?: Send): Act<Target> {
  const looks = { ...look, label };
  if (!fields && send) return { ...looks, does: (row) => send(row, key, { ...also }) };
  if (!fields) return { ...looks, call, also: { ...also }, atOnce: true, done: `已${label}` };
  return {
    ...looks,
    call,
    label: (row) => (key === 'comment' && row['stage'] === orderStage.rated ? '追加评价' : label),
    title: (row) => `${label}：${row.sn} ${row.title}`,
    submit: label,
    fields: (row) =>
      orderFields(call, fields, {
        handlers: { render: (control) => <HandlerSelect control={control} id={row.id} /> },
        into: { render: (control) => <SimilarSelect control={control} row={row} /> },
      }).map((field) => ({ ...field, label: labels[field.name] ?? field.label })),
    also: ({ version }) => ({ ...also, ...(key === 'assign' ? { version } : {}) }),
    onRefused: (failure, body, row, close) => {
      if (!send || !failure.unanswered) return;
      send(row, key, body);
      close();
    },
  };
}

/** The buttons of an order and their common form. `send` replaces direct sending where the network may be down. */
export function useActions(send?: Send) {
  const acts: Acts<Target> = Object.fromEntries(
    Object.entries(actions).map(([key, action]) => [key, actOf(key, action, send)]),
  );
  const { buttons, ...rest } = useActs('order', acts);
  return {
    ...rest,
    buttons: (row: Target, only: readonly string[] = Object.keys(actions), size?: ButtonProps['size']) => {
      const can = row.actions.filter((key) => only.includes(key));
      const [leads] = Object.keys(actions).filter((key) => can.includes(key));
      return buttons(row, can, { size, first: likely.find((key) => key === leads) });
    },
  };
}
/** The label, call and fixed values of an action, for code that sends it later. */
export const actionOf = (key: string) => actions[key]!;
