import { DeleteOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import {
  isDeptType,
  isPeopleType,
  participantType,
  participantVariables,
  type ParticipantVariable,
} from '../../../engine/codes.ts';
import { asksPeople, type Definition, type Participant } from '../../../engine/definition.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import type { Names } from '../../names.ts';
import { GroupPicker, PostPicker, RolePicker } from '../../RolePicker.tsx';
import { coded, participantNames, variableNames } from '../../words.ts';
import { HookPicker } from '../HookPicker.tsx';
import { ParentField } from './ParentField.tsx';
import { SuperiorInput } from './SuperiorInput.tsx';

interface Props {
  value: readonly Participant[];
  definition: Pick<Definition, 'fields'> & Partial<Pick<Definition, 'states'>>;
  names: Names;
  onChange: (participants: Participant[]) => void;
}
type Kind = Participant['type'];

const offered: readonly Kind[] = [
  participantType.variable,
  participantType.user,
  participantType.users,
  participantType.dept,
  participantType.role,
  participantType.field,
  participantType.fieldHeads,
  participantType.parentField,
  participantType.external,
  participantType.deptHeads,
  participantType.superior,
  participantType.superiors,
  participantType.post,
  participantType.group,
  participantType.doneBy,
];

/** A state's people: one row for each source, all of them together. */
export function ParticipantEditor({ value, definition, names, onChange }: Props) {
  const shown = value.filter((one) => one.type !== participantType.none);
  const put = (index: number, next: Participant) => onChange(shown.map((one, at) => (at === index ? next : one)));
  return (
    <div className="kit-stack">
      {shown.map((one, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no identity but their place
        <div className="designer-person" key={index}>
          <Select
            aria-label={`办理人 ${index + 1} 的来源`}
            options={[...new Set([...offered, one.type])].map((type) => ({
              value: type,
              label: participantNames[type],
            }))}
            value={one.type}
            onChange={(type) => put(index, blank(type))}
          />
          <Whom one={one} definition={definition} names={names} onChange={(next) => put(index, next)} />
          <Button
            type="text"
            aria-label={`删除办理人 ${index + 1}`}
            icon={<DeleteOutlined />}
            onClick={() => onChange(shown.filter((_one, at) => at !== index))}
          />
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => onChange([...shown, blank(participantType.variable)])}>
          添加办理人
        </Button>
      </div>
    </div>
  );
}

/** A source with nobody chosen yet, reported as incomplete until somebody is. */
function blank(type: Kind): Participant {
  switch (type) {
    case participantType.user:
      return { type, user: 0 };
    case participantType.users:
      return { type, users: [] };
    case participantType.dept:
    case participantType.deptHeads:
      return { type, depts: [] };
    case participantType.role:
      return { type, roles: [] };
    case participantType.variable:
      return { type, variable: 'dept_fzr' };
    case participantType.field:
    case participantType.fieldHeads:
    case participantType.parentField:
      return { type, field: '' };
    case participantType.external:
      return { type, hook: 0 };
    case participantType.superior:
      return { type, level: 1, gaps: 'skip' };
    case participantType.superiors:
      return { type, until: { level: 2 }, gaps: 'skip' };
    case participantType.post:
      return { type, posts: [] };
    case participantType.group:
      return { type, groups: [] };
    case participantType.doneBy:
      return { type, state: '' };
    default:
      return { type: participantType.none };
  }
}

interface WhomProps {
  one: Participant;
  definition: Props['definition'];
  names: Names;
  onChange: (next: Participant) => void;
}

function Whom({ one, definition, names, onChange }: WhomProps) {
  switch (one.type) {
    case participantType.user:
      return (
        <PersonPicker
          by="id"
          value={one.user || null}
          known={names.cards([one.user])}
          onChange={(user) => onChange({ ...one, user: user ?? 0 })}
        />
      );
    case participantType.users:
      return (
        <PersonPicker
          by="id"
          multiple
          value={one.users}
          known={names.cards(one.users)}
          onChange={(users) => onChange({ ...one, users })}
        />
      );
    case participantType.dept:
    case participantType.deptHeads:
      return <DeptPicker multiple value={one.depts} onChange={(depts) => onChange({ ...one, depts })} />;
    case participantType.role:
      return (
        <RolePicker
          className="kit-wide"
          aria-label="角色"
          names={names}
          value={[...one.roles]}
          onChange={(roles) => onChange({ ...one, roles })}
        />
      );
    case participantType.variable:
      return (
        <Select
          className="kit-wide"
          aria-label="组织关系"
          options={coded(variableNames).filter(({ value }) => participantVariables.includes(value))}
          value={one.variable}
          onChange={(variable: ParticipantVariable) => onChange({ ...one, variable })}
        />
      );
    case participantType.parentField:
      return <ParentField value={one.field} onChange={(field) => onChange({ ...one, field })} />;
    case participantType.field:
    case participantType.fieldHeads: {
      const [what, fits] =
        one.type === participantType.field ? (['人员', isPeopleType] as const) : (['部门', isDeptType] as const);
      return (
        <Select
          className="kit-wide"
          aria-label={`${what}字段`}
          placeholder={`请选择${what}字段`}
          notFoundContent={`表单里还没有${what}字段`}
          options={definition.fields
            .filter(({ type }) => fits(type))
            .map(({ key, name }) => ({ value: key, label: name }))}
          value={one.field || undefined}
          onChange={(field) => onChange({ ...one, field })}
        />
      );
    }
    case participantType.superior:
    case participantType.superiors:
      return <SuperiorInput one={one} names={names} onChange={onChange} />;
    case participantType.post:
      return <PostPicker value={one.posts} onChange={(posts) => onChange({ ...one, posts })} />;
    case participantType.group:
      return <GroupPicker names={names} value={one.groups} onChange={(groups) => onChange({ ...one, groups })} />;
    case participantType.doneBy:
      return (
        <Select
          className="kit-wide"
          aria-label="办过的环节"
          placeholder="请选择环节"
          options={(definition.states ?? [])
            .filter((state) => state.kind === 'start' || asksPeople(state))
            .map(({ key, name }) => ({ value: key, label: name }))}
          value={one.state || undefined}
          onChange={(state) => onChange({ ...one, state })}
        />
      );
    case participantType.external:
      return <HookPicker value={one.hook} onChange={(hook) => onChange({ ...one, hook })} />;
    default:
      return null;
  }
}
