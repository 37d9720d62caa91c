import { dayAfter, dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { leaders } from '../contract.ts';
import { attendType, scheduleType, usualReminders } from '../contract/codes.ts';
import { scheduleFields, typeField, useForce, valuesOf } from './fields.tsx';
import './leaders.css';

/** The form of a new schedule or trip, or of a returned one. */
export function ScheduleForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: found, error, refetch } = useCall(leaders.get, { params: { id } }, { enabled: id > 0 });
  const { data: rules } = useCall(leaders.rule, {});
  const before = found?.value;
  const params = id > 0 ? { id } : undefined;
  const call = id > 0 ? leaders.again : leaders.create;
  const force = useForce(call);
  const tomorrow = dayAfter(dayOf(new Date()), 1);
  const blank = {
    type_id: scheduleType.usual,
    start_time: `${tomorrow}T09:00`,
    end_time: `${tomorrow}T10:00`,
    attend_type: attendType.attends,
    visibility: rules?.value.open_visibility,
    remind: usualReminders,
  };
  const [weekday, hour] = (rules?.value.deadline ?? '').split(' ');
  return (
    <RecordForm
      title={before ? '修改后重新提交' : '新增日程'}
      name={`leader:${id || 'new'}`}
      note={hour && `下周日程请于星期${'一二三四五六日'[Number(weekday) - 1]!} ${hour} 前报送`}
      coming={(id > 0 && !before) || !rules}
      error={error}
      retry={() => void refetch()}
      call={call as typeof leaders.create}
      {...(params ? { params } : {})}
      initial={before ? valuesOf(before) : blank}
      also={before ? { version: before.version, submit: true } : { submit: true }}
      submit="提交日程"
      other={{ label: '保存草稿', also: { submit: false } }}
      fields={before ? scheduleFields(before) : [typeField, ...scheduleFields()]}
      onCancel={onClose}
      onDone={onClose}
      onRefused={(failure, body) => force(failure, body, params, onClose)}
    />
  );
}
