import { Alert, Button, Form, Select } from 'antd';
import { useState } from 'react';
import { dayOf, dropYear } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { roomTimes, type DayRoom } from '#modules/platform/rooms/contract/looks.ts';
import { roomState } from '#modules/platform/rooms/contract/shapes.ts';
import { anyRoom, hasWanted, RoomWants } from '#modules/platform/rooms/widgets.tsx';
import { periodText } from '../../contract/refusals.ts';

const [opens, closes] = [7, 22];
const hourOf = (at: string, date: string) =>
  at.slice(0, 10) < date ? 0 : at.slice(0, 10) > date ? 24 : Number(at.slice(11, 13)) + Number(at.slice(14, 16)) / 60;
const share = (hour: number) => `${((Math.min(Math.max(hour, opens), closes) - opens) / (closes - opens)) * 100}%`;

/** The day of a room, with taken times shaded. */
function Strip({ room, date, except }: { room: DayRoom; date: string; except?: number | undefined }) {
  const taken = room.blocks.filter((one) => one.record_id !== except);
  return (
    <span
      className="meet-strip"
      role="img"
      aria-label={
        taken.map((one) => `${one.start_time.slice(11, 16)}至${one.free_at.slice(11, 16)}已占用`).join('，') ||
        '全天空闲'
      }
    >
      {taken.map((one) => {
        const [from, to] = [share(hourOf(one.start_time, date)), share(hourOf(one.free_at, date))];
        return (
          <i
            key={one.start_time}
            className={one.held ? 'meet-held' : ''}
            style={{ left: from, width: `calc(${to} - ${from})` }}
          />
        );
      })}
    </span>
  );
}

/** Rooms of the chosen day, free and fitting ones first; shows at once whether the chosen one is available, and alternatives. */
export function RoomInput({ control, except }: { control: FieldControl; except?: number | undefined }) {
  const form = Form.useFormInstance();
  const start = moment(Form.useWatch('start_time', form) as unknown);
  const end = moment(Form.useWatch('end_time', form) as unknown);
  const wanted = Form.useWatch('audience', form) as { users?: number[] } | undefined;
  const people = (wanted?.users?.length ?? 0) + 1;
  const date = start?.slice(0, 10) ?? dayOf(new Date());
  const [wants, setWants] = useState(anyRoom);
  const { data } = useCall(roomTimes.day, { query: { date } });
  const chosen = typeof control.value === 'number' ? control.value : undefined;
  const whole = start !== undefined && end !== undefined && start < end;
  const look = useCall(
    roomTimes.isApply,
    {
      query: {
        room_id: chosen ?? 1,
        start_time: start ?? '',
        end_time: end ?? '',
        ...(except && { exclude_id: except }),
      },
    },
    { enabled: whole && chosen !== undefined, quiet: true },
  );
  const busy = (room: DayRoom) =>
    whole && room.blocks.some((one) => one.record_id !== except && one.start_time < end && one.free_at > start);
  // Free before taken, large enough before too small, then the smallest first.
  const rank = (room: DayRoom) =>
    Number(room.status !== roomState.usable) * 1e9 +
    Number(busy(room)) * 1e8 +
    Number(room.capacity < people) * 1e7 +
    Math.abs(room.capacity - people);
  // The chosen room stays visible, whatever the filter.
  const fits = (room: DayRoom) => room.id === chosen || hasWanted(room, wants);
  const rooms = (data?.rooms ?? []).filter(fits).toSorted((one, other) => rank(one) - rank(other));
  const take = (room_id: number, start_time: string, end_time: string) => {
    form.setFieldsValue({ start_time: start_time.slice(0, 16), end_time: end_time.slice(0, 16) });
    control.onChange?.(room_id);
  };
  const said = whole && chosen !== undefined ? look.data : undefined;
  return (
    <div className="kit-stack">
      <div className="kit-row meet-ways">
        <RoomWants value={wants} onChange={setWants} />
      </div>
      <Select
        id={control.id}
        aria-describedby={control['aria-describedby']}
        disabled={control.disabled ?? false}
        allowClear
        placeholder="选择会议室"
        showSearch={{ optionFilterProp: 'title' }}
        value={chosen}
        onChange={(next: number | undefined) => control.onChange?.(next)}
        options={rooms.map((room) => ({
          value: room.id,
          title: `${room.name} ${room.office_name}`,
          disabled: room.status !== roomState.usable,
          label: (
            <span className="meet-room">
              <span>
                {room.name}（{room.capacity} 人）{room.approves && '须审批'}
                {room.status === roomState.mended && '维护中'}
              </span>
              <Strip room={room} date={date} except={except} />
            </span>
          ),
        }))}
      />
      {said && (
        <div aria-live="polite" className="kit-stack">
          {said.can_apply ? (
            <Alert
              type="success"
              showIcon
              title={said.approves ? '可以使用，提交后须会务审批' : '可以使用，提交后即可使用'}
            />
          ) : (
            <Alert
              type="warning"
              showIcon
              title={[
                ...said.reasons,
                ...said.conflicts.map((one) => `${one.title} ${periodText(one.start_time, one.end_time)}`),
              ].join('；')}
            />
          )}
          {said.alternatives.length > 0 && (
            <div className="kit-row meet-ways">
              可改为
              {said.alternatives.slice(0, 4).map((one) => (
                <Button
                  key={`${one.resource_id}${one.start_time}`}
                  size="small"
                  onClick={() => take(one.resource_id, one.start_time, one.end_time)}
                >
                  {one.name} {dropYear(periodText(one.start_time, one.end_time), new Date())}
                </Button>
              ))}
            </div>
          )}
        </div>
      )}
    </div>
  );
}

const moment = (value: unknown) =>
  typeof value === 'string' && value.length >= 16 ? `${value.slice(0, 16).replace('T', ' ')}:00` : undefined;
