import { RecordList } from '#modules/workflow/records/widgets.tsx';
import { meetCalls as calls } from '../contract/meetings.ts';
import type { MeetRow } from '../contract/shapes.ts';
import { approvalColumns, meetColumns, meetFilters, stateColumns } from './columns.tsx';
import { MeetForm } from './form/MeetForm.tsx';

const tabs = { duty: '待办', owner: '我申请', worked: '已办', cc: '抄送', all: '全部' };

/** My requested meetings, and the form of a new one. */
export default function MeetsPage() {
  return (
    <RecordList<MeetRow>
      card={['act_state', 'start_time', 'room_name']}
      name="meet/list"
      title="会议申请"
      purpose="申请会议和会议室，通知参会人员，查看审批进度"
      call={calls.list}
      page="/meet/detail"
      columns={[...meetColumns, ...stateColumns, ...approvalColumns]}
      filters={meetFilters}
      categories={Object.entries(tabs).map(([value, label]) => ({ value, label }))}
      write="申请会议"
      form={({ id }, close) => <MeetForm kind={id > 0 ? 'edit' : 'new'} id={id} onClose={close} />}
      opens={{ edit: '编辑' }}
      remove={{ call: calls.remove, what: '会议' }}
      empty={{ why: '还没有会议，点“申请会议”开始' }}
    />
  );
}
