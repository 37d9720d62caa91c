import { Descriptions } from 'antd';
import { Link } from 'react-router';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { headOf, RecordPage } from '#modules/workflow/records/widgets.tsx';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';
import { ChangeDetail } from '../../contract/shapes.ts';

const text = (slot: ChangeDetail['was']) => `${periodText(slot.start_time, slot.end_time)}，${slot.room_name}`;

/** A change of time or room, as the office decides it; until then the meeting stays as it is. */
export default function ChangePage() {
  return (
    <RecordPage
      call={calls.change}
      of={(reply) => reply.value}
      module="meeting_changes"
      list="/meet/list"
      head={(row) => headOf(row)}
      linked={() => false}
    >
      {(row) => (
        <section className="kit-panel" aria-label="变更">
          <Descriptions
            size="small"
            column={1}
            items={factsOf(ChangeDetail, {
              title: <Link to={`/meet/detail/${row.meet_id}`}>{row.title.slice(3)}</Link>,
              was: text(row.was),
              becomes: <strong>{text(row.becomes)}</strong>,
              reason: row.reason || '未填',
            })}
          />
        </section>
      )}
    </RecordPage>
  );
}
