import { Alert, App, Descriptions, Tag } from 'antd';
import { Link } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { dayAfter, mondayOf } from '#kernel/contract/moment.ts';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { act, useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { leaders } from '../contract.ts';
import {
  attendType,
  choicesOf,
  needs,
  remindText,
  replyState,
  runStatus,
  scheduleType,
  scopes,
  timeText,
  trip,
  visibleTo,
} from '../contract/codes.ts';
import { mostWeeks, ScheduleDetail } from '../contract/schedules.ts';
import { LeaderPicker, scheduleFields, useForce, valuesOf } from './fields.tsx';
import { ScheduleForm } from './ScheduleForm.tsx';
import { Marks, RunStatus } from './SchedulesPage.tsx';
import { TextDrawer } from './TextDrawer.tsx';
import './leaders.css';

/** One schedule or trip: subject, time and place, answers, changes and actions. */
export default function SchedulePage() {
  return (
    <RecordPage
      call={leaders.get}
      of={(reply) => reply.value}
      module="leaders"
      list="/schedule/leader"
      head={(row) => {
        const head = headOf(row);
        return {
          ...head,
          status: (
            <>
              <Tag>{scheduleType.label(row.type_id)}</Tag>
              {row.act_state === actState.finished ? <RunStatus status={row.run_status} /> : head.status}
              <Marks row={row} />
            </>
          ),
        };
      }}
      linked={(row) => row.visibility < visibleTo.own}
      actions={(row) => <Actions row={row} />}
      opens={{ edit: '修改' }}
      form={(row, close) => <ScheduleForm id={row.id} onClose={close} />}
    >
      {(row) => <Content row={row} />}
    </RecordPage>
  );
}

function Content({ row }: { row: ScheduleDetail }) {
  const away = row.type_id === trip;
  const source = row.source_path && <Link to={row.source_path}>查看来源</Link>;
  const facts = factsOf(ScheduleDetail, {
    start_time: { heading: '时间', shown: timeText(row, shortDate) },
    address: away ? { heading: '去向', shown: row.address } : row.address,
    attend_type: !away && attendType.label(row.attend_type),
    visibility: visibleTo.label(row.visibility),
    dept_name: row.dept_name,
    contact_info: [row.contact_info?.alias, row.phone].filter(Boolean).join(' '),
    participants: row.participants,
    escort_info: row.escort_info.map((one) => one.alias).join('、'),
    need: row.need.map((one) => needs[one as 'car']).join('、'),
    remind: !away && !row.all_day && (remindText(row.remind) || '不提醒'),
    acting_info: row.acting_info?.alias,
    standing: away && row.acting_info && standingText(row),
    approvers_info: row.approvers_info.map((one) => one.alias).join('、'),
    back_at: row.back_at?.slice(0, 16),
    source_path: source,
    remark: row.remark,
  });
  return (
    <>
      {row.run_status === runStatus.cancelled && <Alert type="error" showIcon title={`已取消：${row.cancel_reason}`} />}
      {row.travel.map((words) => (
        <Alert key={words} type="warning" showIcon title={words} />
      ))}
      <section className="kit-panel" aria-label="日程">
        <Descriptions size="small" column={{ xs: 1, md: 2 }} items={facts} />
      </section>
      <section className="kit-panel" aria-label="领导">
        <h2>领导</h2>
        <ul className="kit-lines">
          {row.leaders_info.map((one) => (
            <li key={one.id}>
              <strong>{one.alias}</strong>
              {row.act_state === actState.finished && (
                <Tag
                  color={
                    one.state === replyState.comes ? 'success' : one.state === replyState.none ? 'default' : 'warning'
                  }
                >
                  {replyState.label(one.state)}
                </Tag>
              )}
              <span className="kit-muted">{[one.note, one.at?.slice(0, 16)].filter(Boolean).join(' · ')}</span>
            </li>
          ))}
        </ul>
      </section>
      {row.materials_info.length > 0 && (
        <section className="kit-panel" aria-label="材料">
          <h2>材料</h2>
          <FileLinks files={row.materials_info} />
        </section>
      )}
      {row.changes.length > 0 && <Changes row={row} />}
    </>
  );
}

const standingText = ({ standing, act_state }: ScheduleDetail): string => {
  if (!standing)
    return act_state === actState.finished ? '没有设代办：领导已有委托，仍按原委托办理' : '领导确认并备案后生效';
  return standing.over ? `已于 ${standing.end.slice(0, 16)} 结束` : `代办中，至 ${standing.end.slice(0, 16)}`;
};
const kinds: Readonly<Record<string, string>> = {
  edit: '修改',
  cancel: '取消',
  reply: '答复',
  source: '随来源变动',
  back: '销假',
};
const said = (value: unknown): string =>
  value === null || value === ''
    ? '无'
    : typeof value === 'boolean'
      ? value
        ? '是'
        : '否'
      : Array.isArray(value)
        ? value.join('、')
        : String(value);

/** Changes after approval, the newest first, with old and new values. */
function Changes({ row }: { row: ScheduleDetail }) {
  return (
    <section className="kit-panel" aria-label="变更记录">
      <h2>变更记录</h2>
      <ul className="kit-lines">
        {row.changes.toReversed().map((one) => (
          <li key={one.id}>
            <span className="kit-figures">{one.at.slice(0, 16)}</span>
            <strong>
              {one.by} {kinds[one.kind]}
            </strong>
            {Object.keys(one.becomes).map((key) => (
              <span key={key}>
                {key}：<del>{said(one.was[key])}</del> → {said(one.becomes[key])}
              </span>
            ))}
            {one.reason && <span className="kit-muted">{one.reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
const moving = ['leaders', 'start_time', 'end_time', 'all_day', 'address', 'day'];
const hidden = ['visibility', 'acting', 'approvers', 'remind'];

const scopeField: FormField = {
  name: 'scope',
  kind: 'select',
  options: choicesOf(scopes),
  needed: true,
  help: '只有改动的内容用于以后各周；不能改的那几周保持原样，并列出原因',
};

function Actions({ row }: { row: ScheduleDetail }) {
  const mine = row.leaders_info.filter((one) => one.state < replyState.declines);
  const edited = useForce(leaders.edit);
  const { modal } = App.useApp();
  const warn = (what: string, left: readonly { at: string; msg: string }[]) => {
    if (left.length === 0) return;
    const content = left.map(({ at, msg }) => `${shortDate(at.slice(0, 10))}：${msg}`).join('；');
    modal.warning({ title: `有 ${left.length} 周没有${what}`, content });
  };
  const warnLeft = (what: string, { left }: ReplyOf<typeof leaders.edit>) =>
    warn(
      what,
      left.map(({ start_time, msg }) => ({ at: start_time, msg })),
    );
  const weeks = row.later > 0;
  // Weeks are made on the page of schedules, whose rights are not those of this one.
  const mayPlan = useCodesAt()('/schedule/leader').includes('Create');
  const replied = useForce(leaders.reply);
  /** The act that changes some of its fields. */
  const changing = (label: string, shown: (field: string) => boolean): Act<ScheduleDetail> =>
    act<ScheduleDetail, typeof leaders.edit>({
      label,
      call: leaders.edit,
      fields: () => [
        ...scheduleFields(row).filter(({ name }) => shown(name) && !(row.type_id === trip && name === 'leaders')),
        ...(weeks ? [scopeField] : []),
      ],
      initial: () => ({
        ...Object.fromEntries(Object.entries(valuesOf(row)).filter(([key]) => shown(key))),
        ...(weeks ? { scope: 'this' } : {}),
      }),
      also: () => ({ version: row.version }),
      onDone: (reply) => warnLeft('修改', reply),
      onRefused: (failure, body, { id }, close) =>
        edited(failure, body, { id }, (reply) => {
          close();
          warnLeft('修改', reply as ReplyOf<typeof leaders.edit>);
        }),
    });
  const acts: Acts<ScheduleDetail> = {
    force: {
      label: '按冲突保留',
      call: leaders.edit,
      only: [],
      also: { force: true },
      confirm: '领导在这段时间已有其他安排，审批仍可继续',
    },
    reply: {
      label: '答复',
      call: leaders.reply,
      initial: () => ({ result: replyState.comes, ...(mine.length === 1 ? { leader: mine[0]!.username } : {}) }),
      instead: {
        leader: {
          help: '代哪位领导答复',
          render: (control) => (
            <LeaderPicker control={control} multiple={false} only={row.leaders_info.map((one) => one.username)} />
          ),
        },
        to: {
          when: (values) => values['result'] === replyState.passesOn,
          render: (control) => <LeaderPicker control={control} multiple={false} />,
        },
        note: { kind: 'textarea' },
        force: null,
      },
      onRefused: (failure, body, { id }, close) => replied(failure, body, { id }, close),
    },
    move: changing('改时间', (name) => moving.includes(name)),
    texts: changing('修改内容', (name) => !moving.includes(name) && !hidden.includes(name)),
    remind: changing('改提醒', (name) => name === 'remind'),
    private: changing('改可见范围', (name) => name === 'visibility'),
    repeat: act<ScheduleDetail, typeof leaders.copy>({
      label: '每周重复',
      call: leaders.copy,
      offered: ({ can, type_id, source_module }) =>
        mayPlan && can.includes('move') && type_id !== trip && source_module === '',
      code: null,
      params: () => ({}),
      fields: [
        {
          name: 'weeks',
          kind: 'number',
          help: '从下一周起，每周同一时间各一项；领导另有安排的那一周不安排，并列出原因',
        },
      ],
      initial: { weeks: Math.floor(mostWeeks / 2) },
      also: ({ id, start_time }) => ({ ids: [id], date: dayAfter(mondayOf(start_time.slice(0, 10)), 7) }),
      done: ({ made }) => `已安排 ${made} 周`,
      onDone: ({ left }) =>
        warn(
          '安排',
          left.map(({ week, msg }) => ({ at: week, msg })),
        ),
    }),
    cancel: act<ScheduleDetail, typeof leaders.cancel>({
      label: '取消日程',
      call: leaders.cancel,
      danger: true,
      instead: { scope: weeks ? { needed: true } : null },
      initial: weeks ? { scope: 'this' } : {},
      onDone: (reply) => warnLeft('取消', reply),
    }),
    back: { label: '销假', call: leaders.back, instead: { at: { help: '不填为现在；代行到这一分钟为止' } } },
    sms: { label: '发短信', opens: ({ id }, close) => <TextDrawer id={id} onClose={close} /> },
  };
  const { buttons, drawer } = useActs('leader', acts);
  const can = row.can.filter((action) => action !== 'force' || row.clash.length > 0);
  return (
    <>
      {buttons(row, can, { first: 'reply' })}
      {drawer}
    </>
  );
}
