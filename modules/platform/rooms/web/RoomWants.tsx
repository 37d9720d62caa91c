import { Select } from 'antd';
import { equipment } from '../contract/shapes.ts';

/** The requirements for a room. */
export interface Wants {
  seats?: number | undefined;
  equipment: readonly string[];
}
export const anyRoom: Wants = { equipment: [] };

export const hasWanted = (room: { capacity: number; equipment: readonly string[] }, wants: Wants): boolean =>
  room.capacity >= (wants.seats ?? 0) && wants.equipment.every((one) => room.equipment.includes(one));

/** Filters rooms by seats and equipment. */
export function RoomWants({ value, onChange }: { value: Wants; onChange: (next: Wants) => void }) {
  return (
    <>
      <Select
        aria-label="至少容纳"
        allowClear
        placeholder="不限人数"
        value={value.seats}
        onChange={(seats?: number) => onChange({ ...value, seats })}
        options={[10, 20, 50, 100, 200].map((seats) => ({ value: seats, label: `${seats} 人以上` }))}
        style={{ width: 140 }}
      />
      <Select
        aria-label="设备"
        mode="multiple"
        allowClear
        placeholder="不限设备"
        value={[...value.equipment]}
        onChange={(wanted: string[]) => onChange({ ...value, equipment: wanted })}
        options={equipment.map((one) => ({ value: one, label: one }))}
        style={{ width: 180 }}
      />
    </>
  );
}
