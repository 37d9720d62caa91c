import { Link } from 'react-router';
import { Alert, Button, Input, Select, Space, Table, Tag } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { tableColumns } from '#kernel/web/kit/list/columns/tableColumns.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import { type Decision, minutes, minutesState, type MinutesVersion } from '../../contract/minutes.ts';
import type { MeetDetail } from '../../contract/shapes.ts';

const colours = { 1: 'default', 2: 'processing', 3: 'success' } as const;
const empty: Decision = { content: '', dept_id: null, owner_id: null, due: null };

/** 纪要与决定事项: the published version, and for those who run the meeting also the draft. */
export function Minutes({ row }: { row: MeetDetail }) {
  const { data } = useCall(minutes.get, { params: { id: row.id } });
  const [no, setNo] = useState<number | null>(null);
  const [revising, setRevising] = useState(false);
  if (!data || (data.value.length === 0 && data.actions.length === 0)) return null;
  const last = data.value[0];
  const may = (action: string) => data.actions.includes(action);
  const asked = { params: { id: row.id } };
  const writes = may('save');
  const acts = data.actions.filter((one) => one !== 'raise');
  // Beside the form of a draft stand the published version, and the decisions that items were made of.
  const open = data.decisions.filter((one) => !one.supervised);
  const decided = writes && !may('raise') ? data.decisions.filter((one) => one.supervised) : data.decisions;
  const shown = data.value.find((one) => one.no === no) ?? last;
  // A published version is shown for reading; revising needs a click first.
  const closed = last?.state === minutesState.published && writes && !revising;
  return (
    <section className="kit-panel kit-stack" aria-label="会议纪要">
      <div className="kit-row">
        <h2 className="kit-grow meet-heading">会议纪要</h2>
        {data.value.length > 1 && (
          <Select
            aria-label="版本"
            value={shown?.no}
            onChange={setNo}
            options={data.value.map((one) => ({
              value: one.no,
              label: `第 ${one.no} 版 ${minutesState.label(one.state)}`,
            }))}
          />
        )}
        {shown && <Tag color={colours[shown.state as 1]}>{minutesState.label(shown.state)}</Tag>}
      </div>
      {last?.reason && last.state === minutesState.writing && (
        <Alert type="warning" showIcon title={`主持人退回：${last.reason}`} />
      )}
      {shown && (!writes || (shown.state === minutesState.published && (!revising || shown !== last))) && (
        <>
          <p className="meet-text">{shown.content}</p>
          <p className="kit-muted">
            {[
              shown.writer_name && `${shown.writer_name}整理`,
              shown.confirmed_name && `${shown.confirmed_name}确认`,
              shown.published_at?.slice(0, 16),
            ]
              .filter(Boolean)
              .join('，')}
          </p>
        </>
      )}
      {decided.length > 0 && (
        <Table
          size="small"
          rowKey="no"
          dataSource={decided}
          pagination={false}
          scroll={{ x: 'max-content' }}
          columns={tableColumns(minutes.get.reply.shape.decisions.element, {
            no: { number: false },
            content: {},
            dept_name: {},
            owner_name: {},
            due: {},
            supervised: {
              render: ({ no, supervised }) =>
                supervised ? (
                  <Link to={`/supervise/detail/${supervised.id}`}>
                    {supervised.sn} {supervised.state}
                  </Link>
                ) : (
                  may('raise') && (
                    <CallButton call={minutes.raise} asked={{ ...asked, body: { nos: [no] } }} size="small">
                      转督办
                    </CallButton>
                  )
                ),
            },
          })}
        />
      )}
      {may('raise') && open.length > 1 && (
        <CallButton call={minutes.raise} asked={{ ...asked, body: {} }}>
          全部转督办
        </CallButton>
      )}
      {closed && (
        <div>
          <Button onClick={() => setRevising(true)}>修订纪要</Button>
        </div>
      )}
      {acts.length > 0 && !closed && (
        <Editor
          key={`${last?.no}:${last?.state}`}
          id={row.id}
          last={last}
          actions={acts}
          decisions={open.map(({ content, dept_id, owner_id, due }) => ({ content, dept_id, owner_id, due }))}
        />
      )}
    </section>
  );
}

interface EditorProps {
  id: number;
  last: MinutesVersion | undefined;
  actions: readonly string[];
  decisions: Decision[];
}
function Editor({ id, last, actions, decisions }: EditorProps) {
  const [content, setContent] = useState(last?.content ?? '');
  const [decided, setDecided] = useState(decisions);
  const [reason, setReason] = useState('');
  const send = useSend(minutes.keep);
  const act = (name: 'save' | 'hand_in' | 'back' | 'publish') =>
    send.mutate({
      params: { id },
      body: {
        act: name,
        reason,
        ...(name === 'save' || name === 'hand_in'
          ? { content, decisions: decided.filter((one) => one.content.trim()) }
          : {}),
      },
    });
  const change = (at: number, part: Partial<Decision>) =>
    setDecided(decided.map((one, index) => (index === at ? { ...one, ...part } : one)));
  if (!actions.includes('save'))
    return (
      <div className="kit-row meet-line">
        <Button type="primary" loading={send.isPending} onClick={() => act('publish')}>
          确认并发布
        </Button>
        <Input
          aria-label="退回原因"
          placeholder="退回原因"
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <Button danger disabled={!reason.trim()} onClick={() => act('back')}>
          退回修改
        </Button>
      </div>
    );
  return (
    <>
      <Input.TextArea
        aria-label="纪要内容"
        placeholder="会议议定的主要内容"
        autoSize={{ minRows: 6, maxRows: 24 }}
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      <strong>决定事项</strong>
      {decided.map((one, at) => (
        <div key={at} className="kit-row meet-line">
          <Input
            aria-label={`决定事项 ${at + 1}`}
            placeholder="内容"
            value={one.content}
            onChange={({ target }) => change(at, { content: target.value })}
          />
          <DeptPicker
            aria-label="责任部门"
            placeholder="责任部门"
            {...({
              value: one.dept_id ?? undefined,
              onChange: (dept_id: number | undefined) => change(at, { dept_id: dept_id ?? null }),
            } as object)}
          />
          <PersonPicker
            by="id"
            aria-label="责任人"
            placeholder="责任人"
            {...({
              value: one.owner_id ?? undefined,
              onChange: (owner_id: number | undefined) => change(at, { owner_id: owner_id ?? null }),
            } as object)}
          />
          <DateInput
            kind="date"
            aria-label={`时限 ${at + 1}`}
            value={one.due}
            onChange={(due) => change(at, { due: due || null })}
          />
          <Button onClick={() => setDecided(decided.filter((_, index) => index !== at))}>删除</Button>
        </div>
      ))}
      <Space wrap>
        <Button onClick={() => setDecided([...decided, empty])}>增加决定事项</Button>
        <Button loading={send.isPending} onClick={() => act('save')}>
          保存草稿
        </Button>
        <Button type="primary" loading={send.isPending} onClick={() => act('hand_in')}>
          提交主持人确认
        </Button>
      </Space>
    </>
  );
}
