import { Tag } from 'antd';
import { useParams } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { FilesInput, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { Signature } from '#modules/workflow/tickets/widgets.tsx';
import { dutyCalls, type Entry } from '../contract.ts';
import { dutyPost, postKeys, shiftState, spanText } from '../contract/codes.ts';
import { Log } from './Log.tsx';
import { phoneLink, SwapActs, SwapState, useForced } from './parts.tsx';

type Whole = ReplyOf<typeof dutyCalls.get>;
const entry = {
  at: { kind: 'datetime-local' },
  files: {
    render: ({ value, onChange, ...control }: FieldControl) => (
      <FilesInput
        {...control}
        label="照片"
        module="duty"
        value={(value as number[]) ?? []}
        onChange={(ids) => onChange?.(ids)}
        accept="image/*"
      />
    ),
  },
} as const;
const sign = {
  signature: {
    render: ({ value, onChange }: FieldControl) => (
      <Signature module="duty" signed={value !== undefined} onSigned={(file) => onChange?.(file)} />
    ),
  },
};
const one = ({ people }: Whole) => ({ render: (control: object) => <PersonPicker {...control} known={people} /> });
const several = ({ people }: Whole) => ({
  render: (control: object) => <PersonPicker {...control} multiple known={people} />,
});
const waitingOf = (shift: Whole) => shift.log.filter(({ handled }) => !handled);
const log = { label: '记日志', call: dutyCalls.log, instead: { ...entry, late_reason: null }, submit: '记入日志' };
const acts: Acts<Whole> = {
  take: { label: '接班', call: dutyCalls.takeOver, instead: sign },
  log,
  late: {
    label: '补登日志',
    call: dutyCalls.log,
    instead: { ...entry, at: { ...entry.at, help: '须在这一班的时间内' }, urgent: null },
    initial: (shift) => ({ at: shift.start_time.slice(0, 16).replace(' ', 'T'), handled: true }),
    submit: '补登',
  },
  handover: {
    label: '交班',
    call: dutyCalls.handOver,
    instead: (shift) => ({
      ...sign,
      open: {
        kind: 'select',
        multiple: true,
        help: '没有办结的都要移交',
        options: waitingOf(shift).map(({ id, content }) => ({ value: id, label: content.slice(0, 40) })),
      },
    }),
    initial: (shift) => ({ open: waitingOf(shift).map(({ id }) => id) }),
  },
  cancel: { label: '取消班次', call: dutyCalls.cancel },
  print: {
    label: '打印日志',
    offered: (shift) => shift.log.length > 0,
    opens: ({ id }, close) => (
      <PdfDrawer
        title="值班日志"
        about={String(id)}
        fetch={(signal) => download(dutyCalls.logPdf, { params: { id } }, { signal, quiet: true })}
        onClose={close}
      />
    ),
  },
  delete: {
    label: '删除',
    title: '删除班次',
    call: dutyCalls.remove,
    danger: true,
    confirm: '班次还没有发布，删除后可以重新排班',
    next: () => '/schedule/duty',
  },
};
/** The acts in the order of the page; of the first ones, the first that is offered is filled. */
const next = ['take', 'log', 'late', 'handover', 'swap', 'update', 'cancel'];
const order = [...next, 'print', 'delete'];

/** One shift: its people, its log, and the next action. */
export default function ShiftPage() {
  const id = Number(useParams()['id']);
  const { data, error, isPending, refetch } = useCall(dutyCalls.get, { params: { id } }, { meta: live });
  const { data: near } = useCall(
    dutyCalls.roster,
    { query: { month: data?.day.slice(0, 7) ?? '' } },
    { enabled: data?.actions.includes('swap') ?? false },
  );
  const forced = useForced(dutyCalls.change);
  const { buttons, drawer } = useActs<Whole>((key) => `duty:${id}:${key}`, {
    ...acts,
    swap: {
      label: '换班',
      call: dutyCalls.swap,
      instead: (shift) => ({
        user: shift.mine ? null : one(shift),
        with: one(shift),
        their_shift: {
          kind: 'select',
          options: (near?.days ?? [])
            .flatMap(({ shifts }) => shifts)
            .filter((other) => other.state === shiftState.ahead && other.id !== id)
            .map((other) => ({
              value: other.id,
              label: `${other.day} ${other.name}（${other.people.map((person) => person.alias).join('、')}）`,
            })),
        },
      }),
      submit: '申请换班',
    },
    update: {
      label: '调整人员',
      call: dutyCalls.change,
      instead: (shift) => Object.fromEntries(postKeys.map((key) => [key, several(shift)])),
      initial: (shift) =>
        Object.fromEntries(
          postKeys.map((key, at) => [
            key,
            shift.people.filter(({ post }) => post === at + 1).map(({ username }) => username),
          ]),
        ),
      also: ({ version }) => ({ version }),
      submit: '保存',
      onRefused: (failure, body, _shift, close) => forced(failure, body, { id }, close),
    },
  });
  const closing = useActs<Entry>((key, { id: which }) => `duty:${id}:${key}:${which}`, {
    close: {
      ...log,
      label: '办结',
      submit: '办结',
      params: () => ({ id }),
      initial: ({ kind }) => ({ kind, content: '已办结' }),
      also: (closed) => ({ closes: closed.id }),
    },
  });
  return (
    <DetailPage
      title={data && `${data.day} ${data.name}`}
      loading={isPending}
      error={error}
      retry={() => void refetch()}
      status={
        data && (
          <>
            <Tag>{shiftState.label(data.state)}</Tag>
            {data.gap > 0 && <Tag color="error">缺 {data.gap} 人</Tag>}
          </>
        )
      }
      holder={data && spanText(data, shortDate)}
      actions={
        data && (
          <>{buttons(data, data.actions, { among: order, first: next.find((key) => data.actions.includes(key)) })}</>
        )
      }
      side={
        data && (
          <section className="kit-panel" aria-label="值班人员">
            <h2>值班人员</h2>
            <ul className="kit-lines">
              {data.people.map((one) => (
                <li key={one.id}>
                  <span className="kit-muted">{dutyPost.label(one.post)}</span>
                  <strong className={one.works ? undefined : 'kit-struck'}>{one.alias}</strong>
                  <span className="kit-muted">{one.works ? one.why || one.dept_name : '已离岗'}</span>
                </li>
              ))}
              {data.phone && <li>值班电话 {phoneLink(data.phone)}</li>}
            </ul>
          </section>
        )
      }
    >
      {data && data.swaps.length > 0 && (
        <section className="kit-panel" aria-label="换班">
          <h2>换班</h2>
          <ul className="kit-lines">
            {data.swaps.map((swap) => (
              <li key={swap.id}>
                {swap.from_name} → {swap.with_name}
                {swap.their_day && `，换 ${swap.their_day}`}
                <span className="kit-muted">{swap.reason}</span>
                <SwapState state={swap.state} />
                <span className="kit-grow" />
                <SwapActs swap={swap} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {data && (data.taken || data.log.length > 0) && (
        <Log shift={data} close={(of) => closing.buttons(of, ['close'], { size: 'small' })} />
      )}
      {data && data.changes.length > 0 && (
        <section className="kit-panel" aria-label="变更记录">
          <h2>变更记录</h2>
          <ul className="kit-lines">
            {data.changes.map((one) => (
              <li key={one.at}>
                <span className="kit-figures">{shortDate(one.at)}</span> {one.by_name}
                <span>
                  {one.was} → {one.becomes}
                </span>
                <span className="kit-muted">{one.reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {drawer}
      {closing.drawer}
    </DetailPage>
  );
}
