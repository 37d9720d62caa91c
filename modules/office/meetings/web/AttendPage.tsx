import { Tag } from 'antd';
import { useSearchParams } from 'react-router';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { meetRole, replyState } from '../contract/codes.ts';
import { meetCalls as calls } from '../contract/meetings.ts';
import { AttendRow } from '../contract/shapes.ts';
import { briefColumns, MeetState, whereOf } from './columns.tsx';
import { ReplyButtons, replyText, SignButton } from './one/Reply.tsx';

const columns: ListColumn<AttendRow>[] = [
  ...briefColumns,
  ...listColumns(AttendRow, {
    room_name: { heading: '地点', width: 140, render: whereOf },
    host_info: { width: 80 },
  }),
  { key: 'role', title: '身份', width: 64, render: (row) => meetRole.label(row.mine.role) },
  ...listColumns(AttendRow, {
    mine: {
      whole: true,
      width: 150,
      render: (row) =>
        row.mine.reply === replyState.none && !row.mine.for_info ? (
          <Tag color="warning">未回复</Tag>
        ) : (
          replyText(row.mine)
        ),
    },
    meet_status: { width: 90, render: (row) => <MeetState row={row} /> },
  }),
];
const tabs = {
  unanswered: ['待回复', '没有等您回复的会议'],
  coming: ['待参加', '没有要参加的会议'],
  past: ['已参加', '没有参加过会议'],
} as const;
type Tab = keyof typeof tabs;
const isTab = (word: string | null): word is Tab => word !== null && Object.hasOwn(tabs, word);

/** Meetings to which I am invited. */
export default function AttendPage() {
  const [search, ask] = useSearchParams();
  const asked = search.get('tab');
  const when = isTab(asked) ? asked : 'coming';
  return (
    <ListPage<AttendRow>
      card={['mine', 'start_time', 'room_name']}
      name="meet/attend"
      title="我的会议"
      purpose="请我参加的会议：回复能否参加，查看议程和材料"
      call={calls.attend}
      query={{ when }}
      tabs={{
        categories: Object.entries(tabs).map(([value, [label]]) => ({
          value,
          label,
          of: { call: calls.attend, query: { when: value } },
        })),
        value: when,
        onChange: (next) => ask({ tab: next }),
      }}
      columns={columns}
      to={(row) => `/meet/detail/${row.id}`}
      acts={(row) => row.actions.some((one) => ['reply', 'stand_in', 'sign'].includes(one))}
      rowActions={(row) => (
        <span className="kit-row">
          <SignButton row={row} />
          <ReplyButtons row={row} size="small" />
        </span>
      )}
      actionsWidth={210}
      empty={{ why: tabs[when][1] }}
    />
  );
}
