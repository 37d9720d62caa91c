import { Button, Checkbox, Segmented } from 'antd';
import { maxConditionDepth, type Condition } from '../../engine/condition.ts';
import type { Definition } from '../../engine/definition.ts';
import { conditionText, type Names } from '../names.ts';
import { ConditionRow } from './ConditionRow.tsx';
import type { Group } from './operators.ts';
import { asGroup, firstRow, fromGroup, replaced } from './tree.ts';
import './condition.css';

/** Groups within groups, so that each may be negated and still fit the stored limit. */
const deepest = maxConditionDepth / 2;

interface Props {
  definition: Pick<Definition, 'fields'>;
  names: Names;
  value: Condition;
  /** Null when the last row was removed. */
  onChange: (condition: Condition | null) => void;
}

/** Builds a condition out of rows and groups, without code. Its wording is shown below. */
export function ConditionBuilder({ definition, names, value, onChange }: Props) {
  return (
    <div className="cond">
      <GroupEditor
        group={asGroup(value)}
        depth={1}
        definition={definition}
        names={names}
        onChange={(group) => onChange(fromGroup(group))}
      />
      <p className="kit-muted">{conditionText(value, definition, names)}</p>
    </div>
  );
}

interface GroupProps extends Pick<Props, 'definition' | 'names'> {
  group: Group;
  depth: number;
  onChange: (group: Group) => void;
}

function GroupEditor({ group, depth, definition, names, onChange }: GroupProps) {
  const { fields } = definition;
  const put = (index: number, part: Condition | null) => onChange(replaced(group, index, part));
  const add = (part: Condition) => onChange({ ...group, of: [...group.of, part] });
  return (
    <div className="cond-group" role="group" aria-label={group.op === 'and' ? '以下条件全部满足' : '以下条件满足一个'}>
      {group.of.length > 1 && (
        <Segmented
          size="small"
          aria-label="条件之间的关系"
          value={group.op}
          options={[
            { value: 'and', label: '全部满足（且）' },
            { value: 'or', label: '满足一个（或）' },
          ]}
          onChange={(op) => onChange({ ...group, op: op as Group['op'] })}
        />
      )}
      {group.of.map((part, index) => (
        <Part
          // oxlint-disable-next-line react/no-array-index-key -- rows have no identity but their place
          key={index}
          part={part}
          depth={depth}
          definition={definition}
          names={names}
          onChange={(next) => put(index, next)}
        />
      ))}
      <div className="kit-row">
        <Button size="small" onClick={() => add(firstRow(fields))}>
          添加条件
        </Button>
        {depth < deepest && (
          <Button
            size="small"
            onClick={() => add({ op: group.op === 'and' ? 'or' : 'and', of: [firstRow(fields), firstRow(fields)] })}
          >
            添加条件组
          </Button>
        )}
      </div>
    </div>
  );
}

interface PartProps extends Pick<Props, 'definition' | 'names'> {
  part: Condition;
  depth: number;
  onChange: (part: Condition | null) => void;
}

function Part({ part, depth, definition, names, onChange }: PartProps) {
  const inner = part.op === 'not' ? part.of : part;
  if (!('of' in inner)) {
    const say = (leaf: Condition, negated: boolean) => onChange(negated ? { op: 'not', of: leaf } : leaf);
    const negated = part.op === 'not';
    return (
      <ConditionRow
        leaf={inner}
        negated={negated}
        fields={definition.fields}
        names={names}
        onChange={(leaf) => say(leaf, negated)}
        onNegate={negated || depth < deepest ? () => say(inner, !negated) : undefined}
        onRemove={() => onChange(null)}
      />
    );
  }
  const keep = (group: Group, negated: boolean) => {
    if (group.of.length === 0) return onChange(null);
    onChange(negated ? { op: 'not', of: group } : group);
  };
  return (
    <div className="cond-nested">
      <div className="kit-row">
        <Checkbox checked={part.op === 'not'} onChange={(event) => keep(asGroup(inner), event.target.checked)}>
          条件取反（以下条件不成立时）
        </Checkbox>
        <span className="kit-grow" />
        <Button size="small" type="text" onClick={() => onChange(null)}>
          删除条件组
        </Button>
      </div>
      <GroupEditor
        group={asGroup(inner)}
        depth={depth + 1}
        definition={definition}
        names={names}
        onChange={(group) => keep(group, part.op === 'not')}
      />
    </div>
  );
}
