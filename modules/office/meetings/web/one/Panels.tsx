import { Button, Checkbox, Drawer, Dropdown, Input, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { useActs, type Acts } from '#kernel/web/kit/press/acts.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, signMode, signState } from '../../contract/codes.ts';
import { series } from '../../contract/series.ts';
import type { MeetDetail } from '../../contract/shapes.ts';
import { signing } from '../../contract/signing.ts';
import { Minutes } from './Minutes.tsx';
import { deviceOf } from '../sign/scan.ts';
import '../meetings.css';

/** Sign-in, use of the room, minutes and decisions. */
export function Panels({ row }: { row: MeetDetail }) {
  return (
    <>
      <Held row={row} />
      <Minutes row={row} />
    </>
  );
}

const acts: Acts<MeetDetail> = {
  keep: {
    label: '仍需召开',
    call: series.keep,
    look: { type: 'primary' },
    atOnce: true,
  },
  checkin: { label: '到场确认', call: signing.checkin, atOnce: true },
  screen: { label: '打开签到屏', to: ({ id }) => `/meet/screen/${id}` },
  sign_others: {
    label: '代签',
    offered: (row) => row.actions.includes('sign_others') && row.attendees !== null,
    opens: (row, close) => <ByHand row={row} onClose={close} />,
  },
  end: {
    label: '结束会议',
    title: '结束会议',
    call: signing.end,
    only: [],
    confirm: '会议室余下的时间随即释放，未签到的记为缺席，结束后不能恢复',
  },
};

function Held({ row }: { row: MeetDetail }) {
  const { buttons, drawer } = useActs('meet', acts);
  if (row.act_state !== actState.finished || row.meet_status === meetStatus.cancelled) return null;
  return (
    <section className="kit-panel kit-stack" aria-label="会议进行">
      <div className="kit-row meet-line">
        <strong className="kit-grow">
          {meetStatus.label(row.meet_status)}
          {row.sign_mode > signMode.none && `，签到 ${row.signed} / ${row.asked}`}
        </strong>
        {buttons(row, row.actions)}
        <Dropdown
          menu={{
            items: [
              { key: 'ics', label: <a href={`/api/meet/${row.id}/ics/`}>加入日历（下载）</a> },
              ...(row.attendees
                ? [
                    { key: 'sheet', label: <Link to={`/meet/print/${row.id}`}>打印签到表</Link> },
                    { key: 'cards', label: <Link to={`/meet/print/${row.id}?cards=1`}>打印席卡</Link> },
                  ]
                : []),
            ],
          }}
        >
          <Button>更多</Button>
        </Dropdown>
      </div>
      {row.actions.includes('sign') && <Typed id={row.id} />}
      {drawer}
    </section>
  );
}

/** Signing in by typing the digits on the screen. */
function Typed({ id }: { id: number }) {
  const [code, setCode] = useState('');
  const sign = useSend(signing.sign);
  return (
    <form
      className="kit-row"
      onSubmit={(event) => {
        event.preventDefault();
        sign.mutate({ params: { id }, body: { code, device: deviceOf() } });
      }}
    >
      <Input
        aria-label="签到码"
        placeholder="签到屏上的 6 位数字"
        inputMode="numeric"
        maxLength={6}
        value={code}
        onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
        style={{ maxWidth: 220 }}
      />
      <Button type="primary" htmlType="submit" disabled={code.length < 6} loading={sign.isPending}>
        签到
      </Button>
    </form>
  );
}

/** 代签: ticks the people who are present. */
function ByHand({ row, onClose }: { row: MeetDetail; onClose: () => void }) {
  const narrow = useNarrow();
  const [users, setUsers] = useState<number[]>([]);
  const open = row.attendees!.filter((one) => one.sign_state === signState.none || one.sign_state === signState.absent);
  const body = { users };
  return (
    <Drawer open onClose={onClose} title="代签" size={narrow ? '100%' : 420}>
      <div className="kit-stack">
        <Checkbox.Group
          className="kit-stack"
          value={users}
          onChange={setUsers}
          options={open.map((one) => ({
            value: one.user_info.id,
            label: `${one.substitute_info?.alias ?? one.user_info.alias} ${one.user_info.dept_name}`,
          }))}
        />
        {open.length === 0 && <span className="kit-muted">都已签到</span>}
        <CallButton
          call={signing.sign}
          asked={{ params: { id: row.id }, body }}
          type="primary"
          allowed={users.length > 0}
          onDone={onClose}
        >
          {`代签 ${users.length} 人`}
        </CallButton>
      </div>
    </Drawer>
  );
}

const dotOf = { 0: 'coming', 1: 'running', 2: 'over', 3: 'gone' } as const;

/** The dates of a repeat, each a dot that links to it; those left out can be booked once the room is free. */
export function SeriesStrip({ row }: { row: MeetDetail }) {
  const { data } = useCall(series.get, { params: { id: row.id } }, { enabled: row.series_id !== null });
  if (row.series_id === null || !data) return null;
  const left = data.value.filter((one) => one.skipped && one.start_time > data.value[0]!.start_time);
  return (
    <section className="kit-panel kit-stack" aria-label="重复会议">
      <strong>{data.rule}</strong>
      <div className="meet-dots">
        {data.value.map((one) => (
          <Tooltip
            key={one.id}
            title={`${one.start_time.slice(0, 16)} ${one.skipped ? '未安排' : meetStatus.label(one.meet_status)}${one.reason && `：${one.reason}`}`}
          >
            <Link
              to={`/meet/detail/${one.id}`}
              aria-label={`${one.start_time.slice(0, 16)} ${one.skipped ? '未安排' : meetStatus.label(one.meet_status)}`}
              aria-current={one.id === row.id ? 'page' : undefined}
              data-state={dotOf[one.meet_status as 0]}
            >
              {shortDate(one.start_time.slice(0, 10))}
            </Link>
          </Tooltip>
        ))}
      </div>
      {left.map((one) => (
        <span key={one.id}>
          <Tag color="warning">未安排</Tag>
          {shortDate(one.start_time)} <span className="kit-muted">{one.reason}</span>
        </span>
      ))}
      <CallButton
        call={series.book}
        asked={{ params: { id: row.id }, body: { ids: left.map((one) => one.id), further: [] } }}
        allowed={left.length > 0 && data.actions.includes('book')}
        size="small"
      >
        {`再次安排这 ${left.length} 次`}
      </CallButton>
    </section>
  );
}
