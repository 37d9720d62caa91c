import { Alert, Button, Descriptions, Table } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { useActs } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { paged } from '#kernel/web/kit/list/Pager.tsx';
import { FileLinks } from '#modules/platform/files/widgets.tsx';
import { ReceiptMatrix } from '#modules/platform/people/widgets.tsx';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  meetMode,
  meetRole,
  meetStatus,
  meetType,
  replyState,
  signMode,
  signState,
  substituteState,
} from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';
import { Attendee, MeetDetail } from '../../contract/shapes.ts';
import { meetActs } from './acts.tsx';
import { MeetForm } from '../form/MeetForm.tsx';
import { MeetState, whereOf } from '../columns.tsx';
import { Panels, SeriesStrip } from './Panels.tsx';
import { ReplyButtons, replyText } from './Reply.tsx';

/** One meeting: time and place, agenda, attendees, and its approval. */
export default function MeetPage() {
  return (
    <RecordPage
      call={calls.get}
      of={(reply) => reply.value}
      module="meetings"
      list="/meet/list"
      opens={{ edit: '修改', revise: '修改会议' }}
      head={(row) => {
        const head = headOf(row);
        return {
          ...head,
          status:
            row.act_state === actState.finished || row.meet_status === meetStatus.cancelled ? (
              <MeetState row={row} />
            ) : (
              head.status
            ),
          ...(row.act_state === actState.finished && { holder: `${row.creator_info.alias} 发起` }),
        };
      }}
      side={(row) => <SeriesStrip row={row} />}
      actions={(row) => <Actions row={row} />}
      form={(row, close, kind) => <MeetForm kind={kind === 'revise' ? 'revise' : 'edit'} id={row.id} onClose={close} />}
    >
      {(row) => <Content row={row} />}
    </RecordPage>
  );
}

function Actions({ row }: { row: MeetDetail }) {
  const codesAt = useCodesAt();
  const { buttons, drawer } = useActs((key, { id }) => `meet-${key}:${id}`, meetActs);
  const again = row.start_time !== null && codesAt('/meet/list').includes('Create');
  return (
    <>
      <ReplyButtons row={row} />
      {buttons(row, again ? [...row.actions, 'again'] : row.actions)}
      {drawer}
    </>
  );
}

function Content({ row }: { row: MeetDetail }) {
  const names = (people: readonly { alias: string }[]) => people.map((one) => one.alias).join('、');
  const online = /^https?:/.test(row.online_url) ? <a href={row.online_url}>{row.online_url}</a> : row.online_url;
  const facts = factsOf(MeetDetail, {
    start_time: { heading: '时间', shown: periodText(row.start_time, row.end_time) },
    room_name: { heading: '地点', shown: whereOf(row) },
    online_url: online,
    type_id: `${meetType.label(row.type_id)}，${meetMode.label(row.mode)}`,
    host_info: row.host_info?.alias,
    dept_name: row.dept_name,
    audience: row.audience.called,
    observers_info: names(row.observers_info),
    guests: row.guests.map((one) => [one.name, one.org].filter(Boolean).join(' · ')).join('、'),
    recorder_info: row.recorder_info?.alias,
    contact_info: [row.contact_info?.alias, row.contact_phone].filter(Boolean).join(' '),
    sign_mode: row.sign_mode > signMode.none && signMode.label(row.sign_mode),
    requirements: row.requirements,
    checkin_until: row.checkin_until && `请于 ${row.checkin_until.slice(0, 16)} 前确认到场，否则会议室自动释放`,
    mine: replyText(row.mine),
  });
  return (
    <>
      {row.cancel_reason && <Alert type="error" showIcon title={`会议已取消：${row.cancel_reason}`} />}
      {row.change && (
        <Alert
          type="warning"
          showIcon
          title={`变更待审：改为 ${periodText(row.change.start_time, row.change.end_time)}，${row.change.room_name || whereOf(row)}。原因：${row.change.reason || '未填'}；批准前仍按原安排`}
          action={<Link to={`/meet/change/${row.change.id}`}>查看变更</Link>}
        />
      )}
      <section className="kit-panel" aria-label="会议">
        <Descriptions size="small" column={{ xs: 1, md: 2 }} items={facts} />
      </section>
      {(row.agenda || row.topics.length > 0 || row.materials_info.length > 0) && (
        <section className="kit-panel kit-stack" aria-label="议程与材料">
          <h2 className="meet-heading">议程与材料</h2>
          {row.agenda && <p className="meet-text">{row.agenda}</p>}
          <ol className="meet-topics" hidden={row.topics.length === 0}>
            {row.topics.map((topic) => (
              <li key={topic.title}>
                {topic.title}
                <span className="kit-muted">
                  {' '}
                  {[topic.reporter, topic.minutes && `${topic.minutes} 分钟`].filter(Boolean).join('，')}
                </span>
                {topic.files_info.length > 0 && <FileLinks files={topic.files_info} />}
              </li>
            ))}
          </ol>
          {row.materials_info.length > 0 && <FileLinks files={row.materials_info} />}
        </section>
      )}
      <Panels row={row} />
      {row.attendees && row.asked > 0 && <Receipts row={row} />}
    </>
  );
}

/** Answers by department and by person, for those who run the meeting. */
function Receipts({ row }: { row: MeetDetail }) {
  const { data } = useCall(calls.receipts, { params: { id: row.id } });
  const [all, setAll] = useState(false);
  return (
    <>
      {data && (
        <ReceiptMatrix
          receipts={data.receipts}
          title="回执"
          words={{ all: '应回复', read: '已回复', late: '未回复', done: '参加', there: '已回复' }}
          actions={
            row.actions.includes('notice') && (
              <>
                <CallButton
                  call={calls.notice}
                  asked={{ params: { id: row.id }, body: { urge: true, expand: false, content: '' } }}
                  allowed={data.receipts.to_urge > 0}
                  confirm={{ title: '催回复', content: `以消息和短信提醒未回复的 ${data.receipts.to_urge} 人` }}
                  size="small"
                >
                  催未回复
                </CallButton>
                <CallButton
                  call={calls.notice}
                  asked={{ params: { id: row.id }, body: { urge: false, expand: true, content: '' } }}
                  confirm={{ title: '重新展开', content: '按部门现在的人员增减参会人员，并通知新加入的人' }}
                  size="small"
                >
                  重新展开
                </CallButton>
              </>
            )
          }
        />
      )}
      <section className="kit-panel" aria-label="参会人员">
        <Button size="small" onClick={() => setAll(!all)}>
          {all
            ? '收起名单'
            : `参会人员名单（${row.attendees!.length < row.asked ? `前 ${row.attendees!.length} 人，共 ${row.asked}` : row.attendees!.length} 人）`}
        </Button>
        {all && (
          <Table<Attendee>
            size="small"
            rowKey={(one) => one.user_info.id}
            dataSource={row.attendees!}
            pagination={paged(20)}
            scroll={{ x: 'max-content' }}
            columns={[
              ...tableColumns(Attendee, { user_info: {} }),
              { key: 'dept', title: '部门', render: (_value: unknown, one: Attendee) => one.user_info.dept_name },
              ...tableColumns(Attendee, {
                role: { render: (one) => meetRole.label(one.role) },
                reply: {
                  render: (one) =>
                    [
                      replyState.label(one.reply),
                      one.substitute_info?.alias,
                      one.reply === replyState.sends && one.substitute_state === substituteState.asked && '待接受',
                      one.reply_reason,
                    ]
                      .filter(Boolean)
                      .join('，'),
                },
                sign_state: {
                  render: (one) =>
                    [signState.label(one.sign_state), one.sign_time?.slice(11, 16), one.same_device && '同一设备']
                      .filter(Boolean)
                      .join(' '),
                },
              }),
            ]}
          />
        )}
      </section>
    </>
  );
}
