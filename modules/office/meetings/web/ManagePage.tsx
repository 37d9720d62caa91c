import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { offices } from '#modules/platform/rooms/contract/offices.ts';
import { meetCalls as calls } from '../contract/meetings.ts';
import { MeetRow } from '../contract/shapes.ts';
import { approvalColumns, meetColumns, meetFilters, stateColumns } from './columns.tsx';

/** True if an invited person has not been notified. */
const untold = (row: MeetRow) => row.actions.includes('send');

/** Meetings in the rooms of my offices, or of departments I manage. */
export default function ManagePage() {
  const { data } = useCall(offices.choice, {});
  const known = data?.value ?? [];
  return (
    <ListPage<MeetRow>
      card={['meet_status', 'start_time', 'room_name']}
      name="meet/manage"
      title="会议管理"
      purpose="本单位会议室的会议；改派、让位在会议页面办理"
      call={calls.manage}
      columns={[
        ...meetColumns,
        ...listColumns(MeetRow, {
          signed: { whole: true, width: 80, render: (row) => (row.asked > 0 ? `${row.signed} / ${row.asked}` : '—') },
        }),
        ...stateColumns,
        ...approvalColumns.map((one) => ({ ...one, hidden: one.key !== 'state_name' })),
      ]}
      filters={[
        ...meetFilters,
        {
          key: 'office_id',
          kind: 'select',
          options: known.map(({ value, label }) => ({ value: String(value), label })),
        },
        {
          key: 'room_id',
          kind: 'select',
          options: known.flatMap((office) => office.rooms.map(({ value, label }) => ({ value: String(value), label }))),
        },
        { key: 'change_pending', kind: 'select', options: [{ value: 'true', label: '变更待审' }] },
      ]}
      to={(row) => `/meet/detail/${row.id}`}
      acts={untold}
      rowActions={(row) => (
        <CallButton
          call={calls.send}
          asked={{ params: { id: row.id }, body: { content: '' } }}
          allowed={untold(row)}
          size="small"
        >
          通知
        </CallButton>
      )}
      actionsWidth={80}
      empty={{ why: '还没有使用本单位会议室的会议' }}
    />
  );
}
