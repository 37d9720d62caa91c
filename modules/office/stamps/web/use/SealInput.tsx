import { Alert, Button, Checkbox, Skeleton } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { applicationCalls as calls, type Slot } from '../../contract/applications.ts';
import { parts, slotText } from '../../contract/codes.ts';
import { stampType } from '../../contract/seal-codes.ts';
import { sealCalls } from '../../contract/seals.ts';

export interface Wanted {
  stamp_id: number;
  times?: number;
  day: string | null;
  part: number | null;
}
interface Props {
  value?: readonly Wanted[] | undefined;
  onChange?: ((value: Wanted[]) => void) | undefined;
  disabled?: boolean | undefined;
  /** True for a loan, which takes no slots. */
  out: boolean;
}

/** Selectable seals as cards with keeper and free slots; the others with the reason. */
export function SealInput({ value = [], onChange, disabled, out }: Props) {
  const { data, isPending } = useCall(sealCalls.deptStamps, {});
  if (isPending) return <Skeleton active paragraph={{ rows: 2 }} />;
  const seals = data?.value ?? [];
  if (seals.length === 0) return <Alert type="info" showIcon title="本部门没有可用的印章，请联系党政办公室" />;
  const set = (next: Wanted[]) => onChange?.(next);
  return (
    <ul className="stamp-choice">
      {seals.map((seal) => {
        const chosen = value.find((one) => one.stamp_id === seal.id);
        const unfit = seal.why !== '' && !chosen;
        return (
          <li
            key={seal.id}
            className="kit-panel"
            data-chosen={chosen ? '' : undefined}
            data-unfit={unfit ? '' : undefined}
          >
            <Checkbox
              checked={Boolean(chosen)}
              disabled={disabled || unfit}
              onChange={(event) =>
                set(
                  event.target.checked
                    ? [...value, { stamp_id: seal.id, day: null, part: null }]
                    : value.filter((one) => one.stamp_id !== seal.id),
                )
              }
            >
              <strong>{seal.name}</strong>
            </Checkbox>
            <span className="kit-muted">
              {stampType.label(seal.type)} · {seal.keeper_now.alias}保管{seal.place && ` · ${seal.place}`}
            </span>
            {seal.why && <span className="stamp-why">{seal.why}</span>}
            {chosen && !out && (
              <DayStrip
                stamp={seal.id}
                value={chosen}
                onChange={(place) => set(value.map((one) => (one === chosen ? { ...chosen, ...place } : one)))}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Half-days of the next weeks with their free slots; choosing one again releases it. */
export function DayStrip({
  stamp,
  value,
  onChange,
}: {
  stamp: number;
  value: { day: string | null; part: number | null };
  onChange: (place: { day: string | null; part: number | null }) => void;
}) {
  const { data } = useCall(calls.slots, { params: { id: stamp }, query: {} });
  const [all, setAll] = useState(false);
  const open = (data?.value ?? []).filter(
    (slot) => slot.left > 0 || (slot.why !== '已过' && slot.why !== '不办理用印' && slot.why !== '不是工作日'),
  );
  const shown = all ? open : open.slice(0, 6);
  const isChosen = (slot: Slot) => slot.day === value.day && slot.part === value.part;
  const away = value.day !== null && !shown.some(isChosen);
  return (
    <div className="stamp-days" role="group" aria-label="预约时段">
      {away && (
        <Button size="small" type="primary" onClick={() => onChange({ day: null, part: null })}>
          {slotText(value.day, value.part)}
        </Button>
      )}
      {shown.map((slot) => (
        <Button
          key={`${slot.day}${slot.part}`}
          size="small"
          disabled={slot.left === 0 && !isChosen(slot)}
          type={isChosen(slot) ? 'primary' : 'default'}
          aria-pressed={isChosen(slot)}
          onClick={() => onChange(isChosen(slot) ? { day: null, part: null } : { day: slot.day, part: slot.part })}
        >
          {shortDate(slot.day)} {parts[slot.part as 1]} {slot.left > 0 ? `余 ${slot.left}` : slot.why}
        </Button>
      ))}
      {!all && open.length > shown.length && (
        <Button size="small" type="link" onClick={() => setAll(true)}>
          更多时段
        </Button>
      )}
      <span className="kit-muted">{value.day ? '再点一次取消预约' : '可不预约，批准后到现场等候办理'}</span>
    </div>
  );
}
