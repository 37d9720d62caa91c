import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Calls } from '#kernel/contract/call.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { download } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { fieldsOf, type Instead } from '#kernel/web/kit/form/fields.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { FilesInput, PdfDrawer } from '#modules/platform/files/widgets.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { Signature } from '#modules/workflow/tickets/widgets.tsx';
import { dutyCalls, type Entry } from '../contract.ts';
import { dutyPost, postKeys, shiftState, spanText } from '../contract/codes.ts';
import { Log } from './Log.tsx';
import { phoneLink, SwapActs, SwapState, useForced } from './parts.tsx';

interface Form {
  title: string;
  call: Calls[string];
  submit: string;
  instead?: Instead;
  initial?: Record<string, unknown>;
  also?: Record<string, unknown>;
}

/** One shift: its people, its log, and the next action. */
export default function ShiftPage() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useCall(dutyCalls.get, { params: { id } }, { meta: live });
  const { data: near } = useCall(
    dutyCalls.roster,
    { query: { month: data?.day.slice(0, 7) ?? '' } },
    { enabled: data?.actions.includes('swap') ?? false },
  );
  const [form, setForm] = useState<Form | 'print' | null>(null);
  const forced = useForced(dutyCalls.change, { id }, () => setForm(null));
  const waiting = data?.log.filter((one) => !one.handled) ?? [];
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
  const one = { render: (control: object) => <PersonPicker {...control} known={data?.people} /> };
  const several = { render: (control: object) => <PersonPicker {...control} multiple known={data?.people} /> };
  const forms: Record<string, Form> = {
    log: { title: '记日志', call: dutyCalls.log, submit: '记入日志', instead: { ...entry, late_reason: null } },
    late: {
      title: '补登日志',
      call: dutyCalls.log,
      submit: '补登',
      instead: { ...entry, at: { ...entry.at, help: '须在这一班的时间内' }, urgent: null },
      initial: { at: data?.start_time.slice(0, 16).replace(' ', 'T'), handled: true },
    },
    cancel: { title: '取消班次', call: dutyCalls.cancel, submit: '取消班次' },
    handover: {
      title: '交班',
      call: dutyCalls.handOver,
      submit: '交班',
      instead: {
        ...sign,
        open: {
          kind: 'select',
          multiple: true,
          help: '没有办结的都要移交',
          options: waiting.map((one) => ({ value: one.id, label: one.content.slice(0, 40) })),
        },
      },
      initial: { open: waiting.map((one) => one.id) },
    },
    take: { title: '接班', call: dutyCalls.takeOver, submit: '接班', instead: sign },
    swap: {
      title: '换班',
      call: dutyCalls.swap,
      submit: '申请换班',
      instead: {
        user: data?.mine ? null : one,
        with: one,
        their_shift: {
          kind: 'select',
          options: (near?.days ?? [])
            .flatMap((one) => one.shifts)
            .filter((one) => one.state === shiftState.ahead && one.id !== id)
            .map((one) => ({
              value: one.id,
              label: `${one.day} ${one.name}（${one.people.map((person) => person.alias).join('、')}）`,
            })),
        },
      },
    },
    update: {
      title: '调整人员',
      call: dutyCalls.change,
      submit: '保存',
      instead: Object.fromEntries(postKeys.map((key) => [key, several])),
      initial: Object.fromEntries(
        postKeys.map((key, at) => [key, data?.people.filter((one) => one.post === at + 1).map((one) => one.username)]),
      ),
      also: { version: data?.version },
    },
  };
  const names = {
    take: '接班',
    log: '记日志',
    late: '补登日志',
    handover: '交班',
    swap: '换班',
    update: '调整人员',
    cancel: '取消班次',
  } as const;
  const offered = (Object.keys(names) as (keyof typeof names)[]).filter((one) => data?.actions.includes(one));
  const close = (entry: Entry) =>
    setForm({
      ...forms['log']!,
      title: '办结',
      submit: '办结',
      initial: { kind: entry.kind, content: '已办结' },
      also: { closes: entry.id },
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
      holder={data && spanText(data)}
      actions={
        data && (
          <>
            {offered.map((one, at) => (
              <Button key={one} type={at === 0 ? 'primary' : undefined} onClick={() => setForm(forms[one]!)}>
                {names[one]}
              </Button>
            ))}
            {data.log.length > 0 && <Button onClick={() => setForm('print')}>打印日志</Button>}
            <CallButton
              call={dutyCalls.remove}
              asked={{ params: { id } }}
              code={null}
              allowed={data.actions.includes('delete')}
              danger
              confirm={{ title: '删除班次', content: '班次还没有发布，删除后可以重新排班' }}
              onDone={() => void navigate('/schedule/duty')}
            >
              删除
            </CallButton>
          </>
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
      {data && (data.taken || data.log.length > 0) && <Log shift={data} onClose={close} />}
      {data && data.changes.length > 0 && (
        <section className="kit-panel" aria-label="变更记录">
          <h2>变更记录</h2>
          <ul className="kit-lines">
            {data.changes.map((one) => (
              <li key={one.at}>
                <span className="kit-figures">{one.at.slice(5, 16)}</span> {one.by_name}
                <span>
                  {one.was} → {one.becomes}
                </span>
                <span className="kit-muted">{one.reason}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {form === 'print' && (
        <PdfDrawer
          title="值班日志"
          about={String(id)}
          fetch={(signal) => download(dutyCalls.logPdf, { params: { id } }, { signal, quiet: true })}
          onClose={() => setForm(null)}
        />
      )}
      {form && form !== 'print' && (
        <FormDrawer
          open
          title={form.title}
          name={`duty:${id}:${form.title}`}
          call={form.call}
          params={{ id }}
          submit={form.submit}
          fields={fieldsOf(shapeOf(form.call.body), form.instead)}
          initial={{ ...form.initial }}
          also={form.also}
          onClose={() => setForm(null)}
          onDone={() => setForm(null)}
          onRefused={forced}
        />
      )}
    </DetailPage>
  );
}
