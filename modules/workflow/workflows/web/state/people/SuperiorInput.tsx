import { Input, Select, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { participantType } from '../../../engine/codes.ts';
import type { Participant } from '../../../engine/definition.ts';
import type { Names } from '../../names.ts';
import { RolePicker } from '../../RolePicker.tsx';
import { coded, gapNames } from '../../words.ts';

type Superiors = Extract<Participant, { gaps: unknown }>;
type Until = Extract<Superiors, { until: unknown }>['until'];
interface Props {
  one: Superiors;
  names: Names;
  onChange: (next: Superiors) => void;
}
const endings = [
  { value: 'level', label: '到第几级' },
  { value: 'role', label: '到有这个角色的人' },
  { value: 'post', label: '到有这个职务的人' },
];

/** The creator's superiors: one level, or all up to a level, a role or a post; and the rule for an empty level. */
export function SuperiorInput({ one, names, onChange }: Props) {
  const until: Until = one.type === participantType.superior ? { level: one.level } : one.until;
  const set = (next: Until) =>
    onChange(
      one.type === participantType.superiors
        ? { ...one, until: next }
        : { ...one, level: 'level' in next ? next.level : one.level },
    );
  return (
    <div className="kit-stack kit-wide">
      <Space wrap>
        {one.type === participantType.superiors && (
          <Select
            aria-label="到哪里为止"
            options={endings}
            value={Object.keys(until)[0]}
            onChange={(kind) => set(kind === 'role' ? { role: '' } : kind === 'post' ? { post: '' } : { level: 2 })}
          />
        )}
        {'level' in until && (
          <NumberInput
            aria-label="第几级上级"
            min={1}
            max={10}
            precision={0}
            prefix="第"
            suffix="级"
            value={until.level}
            onChange={(level) => set({ level: level ?? 1 })}
          />
        )}
        {'post' in until && (
          <Input
            aria-label="职务"
            maxLength={30}
            value={until.post}
            onChange={(event) => set({ post: event.target.value })}
          />
        )}
      </Space>
      {'role' in until && (
        <RolePicker
          className="kit-wide"
          aria-label="角色"
          names={names}
          value={until.role || undefined}
          onChange={(role: string) => set({ role })}
        />
      )}
      <Select
        aria-label="没有人或与下级重复的一级"
        className="kit-wide"
        prefix="没有人或重复的一级："
        options={coded(gapNames)}
        value={one.gaps}
        onChange={(gaps) => onChange({ ...one, gaps })}
      />
    </div>
  );
}
