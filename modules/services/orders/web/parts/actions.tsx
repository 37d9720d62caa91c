import { Button, Select, Tag, type ButtonProps } from 'antd';
import { useState, type ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { fieldsOf as fieldsOfShape, type Instead } from '#kernel/web/kit/form/fields.ts';
import type { FieldControl, FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
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

interface ActionForm {
  label: string;
  call: AnyCall;
  also?: object;
  fields?: readonly string[];
  labels?: Readonly<Record<string, string>>;
  look?: Pick<ButtonProps, 'type' | 'danger'>;
}
const act = (
  action: string,
  label: string,
  fields?: readonly string[],
  more: Partial<ActionForm> = {},
): ActionForm => ({
  label,
  call: orders.act,
  also: { action },
  ...(fields ? { fields } : {}),
  ...more,
});
const to = (s: number, label: string, fields?: readonly string[], more: Partial<ActionForm> = {}): ActionForm => ({
  label,
  call: orders.statePost,
  also: { s },
  ...(fields ? { fields } : {}),
  ...more,
});
const first = { look: { type: 'primary' as const } };
const danger = { look: { danger: true } };
const reasons = { labels: { words: '原因', remark: '原因' } };
/** The actions of an order, the likely ones first; each with the fields of its call. */
const forms: Readonly<Record<string, ActionForm>> = {
  accept: act('accept', '受理', undefined, first),
  assign: act('assign', '派单', ['handlers', 'words'], first),
  take: act('take', '接单', undefined, first),
  start: act('start', '到场', undefined, first),
  finish: to(6, '完工', ['result_photos', 'result', 'materials', 'fee'], first),
  resume: act('resume', '恢复', undefined, first),
  confirm: to(4, '确认修好', undefined, first),
  comment: {
    label: '评价',
    call: orders.comment,
    fields: ['score', 'content', 'speed', 'quality', 'attitude'],
    look: { type: 'primary' },
  },
  hang: act('hang', '挂起', ['hang_kind', 'hang_until', 'words'], { labels: { words: '说明' } }),
  progress: act('progress', '登记进展', ['words', 'appoint_time'], {
    labels: { words: '进展', appoint_time: '改约到' },
  }),
  material: act('material', '登记材料', ['materials']),
  fee: act('fee', '费用', ['fee', 'words']),
  visit: { label: '登记回访', call: orders.visit, fields: ['words'] },
  merge: { label: '合并', call: orders.merge, fields: ['into', 'reason'] },
  release: act('release', '退单', ['words'], { ...reasons, ...danger }),
  refuse: act('refuse', '退回', ['words'], { ...reasons, ...danger }),
  rework: to(1, '没修好，返工', ['remark'], { labels: { remark: '哪里没修好' }, ...danger }),
  withdraw: to(3, '撤回', ['remark']),
  close: to(5, '关闭', ['remark'], { ...reasons, ...danger }),
};

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

/** The buttons of an order and their common form. `send` replaces direct sending where the network may be down. */
export function useActions(send?: (row: Target, key: string, body: object) => void) {
  const [opened, open] = useState<{ row: Target; key: string } | null>(null);
  const shown = opened && forms[opened.key];
  const buttons = (row: Target, only?: readonly string[], size?: ButtonProps['size']): ReactNode =>
    Object.entries(forms)
      .filter(([key]) => row.actions.includes(key) && (!only || only.includes(key)))
      .map(([key, { label: usual, call, also, fields, look }], at) => {
        const label = key === 'comment' && row['stage'] === orderStage.rated ? '追加评价' : usual;
        const looks = { ...(size ? { size } : {}), ...(at === 0 || look?.danger ? look : {}) };
        if (fields || send)
          return (
            <Button key={key} {...looks} onClick={() => (fields ? open({ row, key }) : send?.(row, key, { ...also }))}>
              {label}
            </Button>
          );
        return (
          <CallButton
            key={key}
            {...looks}
            code={null}
            call={call}
            asked={{ params: { id: row.id }, body: { ...also } } as never}
            done={`已${label}`}
          >
            {label}
          </CallButton>
        );
      });
  const labels = shown?.labels ?? {};
  const more: Instead = opened
    ? {
        handlers: { render: (control) => <HandlerSelect control={control} id={opened.row.id} /> },
        into: { render: (control) => <SimilarSelect control={control} row={opened.row} /> },
      }
    : {};
  const drawer = opened && shown && (
    <FormDrawer
      open
      key={`${opened.row.id}:${opened.key}`}
      onClose={() => open(null)}
      title={`${shown.label}：${opened.row.sn} ${opened.row.title}`}
      name={`order:${opened.key}:${opened.row.id}`}
      call={shown.call}
      params={{ id: opened.row.id }}
      fields={orderFields(shown.call, shown.fields, more).map((field) => ({
        ...field,
        label: labels[field.name] ?? field.label,
      }))}
      also={{ ...shown.also, ...(opened.key === 'assign' ? { version: opened.row.version } : {}) }}
      submit={shown.label}
      onRefused={(failure, body) => {
        if (!send || !failure.unanswered) return;
        send(opened.row, opened.key, body);
        open(null);
      }}
      onDone={() => open(null)}
    />
  );
  return { buttons, drawer, open };
}
/** The form and call of an action, for code that sends it later. */
export const actionOf = (key: string) => forms[key]!;
