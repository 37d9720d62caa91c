import { App, Button, Tag, Timeline } from 'antd';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import type { Calls } from '#kernel/contract/call.ts';
import { live, useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/CallButton.tsx';
import { DetailPage } from '#kernel/web/kit/DetailPage.tsx';
import { fieldsOf, type Instead } from '#kernel/web/kit/form/fields.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { shapeOf } from '#kernel/web/kit/form/rules.ts';
import { PdfDrawer } from '#modules/files/widgets.tsx';
import { PersonPicker } from '#modules/people/widgets.tsx';
import { dutyCalls, type Entry } from '../contract.ts';
import { entryKinds, nameOf, postKeys, posts, shiftStates, spanText } from '../contract/codes.ts';
import type { Unfit } from '../contract/refusals.ts';
import { phoneLink, SwapActs, SwapState } from './parts.tsx';

interface Form {
  title: string;
  call: Calls[string];
  submit: string;
  instead?: Instead;
  initial?: Record<string, unknown>;
  also?: Record<string, unknown>;
}

/** One shift: who has it, what happened in it, and how it goes on. */
export default function ShiftPage() {
  const id = Number(useParams()['id']);
  const navigate = useNavigate();
  const { modal } = App.useApp();
  const { data, error, isPending, refetch } = useCall(dutyCalls.get, { params: { id } }, { meta: live });
  const { data: near } = useCall(
    dutyCalls.roster,
    { query: { month: data?.day.slice(0, 7) ?? '' } },
    { enabled: data?.actions.includes('swap') },
  );
  const [form, setForm] = useState<Form | 'print' | null>(null);
  const waiting = data?.log.filter((one) => !one.handled) ?? [];
  const one = { render: (control: object) => <PersonPicker {...control} known={data?.people} /> };
  const several = { render: (control: object) => <PersonPicker {...control} multiple known={data?.people} /> };
  const forms: Record<string, Form> = {
    log: { title: '记日志', call: dutyCalls.log, submit: '记入日志', instead: { at: { kind: 'datetime-local' } } },
    handover: {
      title: '交班',
      call: dutyCalls.handOver,
      submit: '交班',
      instead: {
        open: {
          kind: 'select',
          multiple: true,
          help: '没有办结的都要移交',
          options: waiting.map((one) => ({ value: one.id, label: one.content.slice(0, 40) })),
        },
      },
      initial: { open: waiting.map((one) => one.id) },
    },
    take: { title: '接班', call: dutyCalls.takeOver, submit: '接班' },
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
            .filter((one) => one.state === 1 && one.id !== id)
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
  const names = { take: '接班', log: '记日志', handover: '交班', swap: '换班', update: '调整人员' } as const;
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
            <Tag>{nameOf(shiftStates, data.state)}</Tag>
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
              confirm={{ title: '删除班次', content: '值班人员会收到消息' }}
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
                  <span className="kit-muted">{nameOf(posts, one.post)}</span>
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
        <section className="kit-panel" aria-label="值班日志">
          <h2>值班日志</h2>
          <Timeline
            items={[
              ...(data.taken
                ? [{ content: `${data.taken.at.slice(5, 16)} ${data.taken.by_name}接班 ${data.taken.note}` }]
                : []),
              ...data.log.map((entry) => ({
                color: entry.handled ? 'gray' : entry.urgent ? 'red' : 'blue',
                content: (
                  <>
                    <span className="kit-figures">{entry.at.slice(5, 16)}</span>{' '}
                    <Tag>{nameOf(entryKinds, entry.kind)}</Tag>
                    {entry.urgent && <Tag color="error">紧急</Tag>}
                    {entry.shift_id !== id && <Tag>上一班移交</Tag>}
                    {entry.content}
                    <div className="kit-muted">
                      {[entry.from, entry.told && `已报告${entry.told}`, `${entry.by_name}记录`]
                        .filter(Boolean)
                        .join('，')}
                      {!entry.handled && '，未办结 '}
                      {!entry.handled && data.actions.includes('log') && (
                        <Button size="small" onClick={() => close(entry)}>
                          办结
                        </Button>
                      )}
                    </div>
                  </>
                ),
              })),
              ...(data.handover
                ? [
                    {
                      content: `${data.handover.at.slice(5, 16)} ${data.handover.by_name}交班，移交 ${data.handover.open.length} 项 ${data.handover.note}`,
                    },
                  ]
                : []),
            ]}
          />
        </section>
      )}
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
          fetch={(signal) => send(dutyCalls.logPdf, { params: { id } }, { signal, quiet: true }) as never}
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
          onRefused={(failure, body) => {
            const { unfit = [], can_force } = (failure.data ?? {}) as { unfit?: Unfit[]; can_force?: boolean };
            if (!can_force || !body['reason']) return;
            modal.confirm({
              title: unfit.map((one) => `${one.name}${one.why}`).join('；'),
              okText: '确认安排',
              cancelText: '再看看',
              onOk: async () => {
                await send(dutyCalls.change, { params: { id }, body: { ...body, force: true } } as never);
                setForm(null);
                await refetch();
              },
            });
          }}
        />
      )}
    </DetailPage>
  );
}
