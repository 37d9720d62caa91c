import { keepPreviousData } from '@tanstack/react-query';
import { App, AutoComplete, Button } from 'antd';
import { useState } from 'react';
import { onOff } from '#kernel/contract/titles.ts';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { useSearching } from '#kernel/web/kit/form/SearchSelect.tsx';
import { rooms } from '#modules/platform/rooms/contract/rooms.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { placeLength, withoutPosition, withPosition } from '../../engine/fields/place.ts';

interface Props {
  item: FieldItem;
  control: FieldControl;
  /** The workflow whose tickets suggest earlier values. */
  workflow?: number | undefined;
}
const shown = 10;

/** A place in words: typed, or chosen from earlier values and rooms; with one's own position if allowed. */
export function PlaceInput({ item, control, workflow }: Props) {
  const { value, onChange, ...rest } = control;
  const { field_key, field_name, placeholder, position } = item;
  const place = typeof value === 'string' ? value : '';
  const [open, setOpen] = useState(false);
  const { setText, search } = useSearching();
  const { data: used = [] } = useCall(
    tickets.places,
    { query: { workflow_id: workflow ?? 0, field_key, search_value: search } },
    { enabled: open && workflow !== undefined, placeholderData: keepPreviousData },
  );
  const { data: known } = useCall(
    rooms.list,
    { query: { search_value: search, status: onOff.on, per_page: shown } },
    { enabled: open, placeholderData: keepPreviousData },
  );
  const names = (known?.value ?? []).map(({ building, room_no, name }) =>
    [building, room_no, name].filter(Boolean).join(' '),
  );
  const groups = [
    { label: '填过的地点', options: used },
    { label: '会议室', options: names.filter((name) => !used.includes(name)) },
  ];
  return (
    <div className="kit-row">
      <AutoComplete
        {...rest}
        className="kit-grow"
        aria-label={control.id ? undefined : field_name}
        placeholder={placeholder || '输入地点，或从列表选择'}
        maxLength={placeLength}
        allowClear
        showSearch={{ filterOption: false, onSearch: (text) => setText(withoutPosition(text)) }}
        onFocus={() => setOpen(true)}
        options={groups
          .filter(({ options }) => options.length > 0)
          .map(({ label, options }) => ({ label, options: options.map((one) => ({ value: one })) }))}
        value={place}
        onChange={(next: string | undefined) => onChange?.(next || null)}
      />
      {position && (
        <PositionButton
          disabled={control.disabled ?? false}
          onFound={(coords) => onChange?.(withPosition(place, coords))}
        />
      )}
    </div>
  );
}

const reasons: Readonly<Record<number, string>> = {
  1: '浏览器没有允许本系统读取位置，请在浏览器或手机的设置里允许后再试',
  2: '现在取不到位置，请打开定位后再试，或直接填写地点',
  3: '等了 15 秒还没有取到位置，请到开阔处再试，或直接填写地点',
};

function PositionButton({
  disabled,
  onFound,
}: {
  disabled: boolean;
  onFound: (coords: GeolocationCoordinates) => void;
}) {
  const { message } = App.useApp();
  const [asking, setAsking] = useState(false);
  const ask = () => {
    setAsking(true);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setAsking(false);
        onFound(coords);
      },
      ({ code }) => {
        setAsking(false);
        void message.error(reasons[code] ?? reasons[2]);
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 60_000 },
    );
  };
  return (
    <Button disabled={disabled} loading={asking} onClick={ask}>
      我的位置
    </Button>
  );
}
