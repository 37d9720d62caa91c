import { DeleteOutlined } from '@ant-design/icons';
import { Button, Checkbox, Form } from 'antd';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import type { StartFor } from '../../engine/definition.ts';
import type { Names } from '../names.ts';
import { GroupPicker, RolePicker } from '../RolePicker.tsx';

interface Props {
  rules: readonly StartFor[];
  names: Names;
  onChange: (rules: readonly StartFor[] | undefined) => void;
}
const begin: StartFor = { users: [], roles: [], groups: [], own_dept: true, depts: [] };

/** The rules about who may start tickets in whose name. */
export function StartForSettings({ rules, names, onChange }: Props) {
  const put = (index: number, part: Partial<StartFor> | null) => {
    const next = rules.flatMap((one, at) => (at !== index ? [one] : part === null ? [] : [{ ...one, ...part }]));
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <Form layout="vertical" component="div">
      <Form.Item
        label="代他人发起"
        extra="工单写明由谁代谁发起；部门、上级、次数限制都按申请人计算，代为发起的人和申请人都不能审批"
      >
        <div className="kit-stack">
          {rules.map((rule, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- rules have no identity but their place
            <Rule key={index} no={index + 1} rule={rule} names={names} onChange={(part) => put(index, part)} />
          ))}
          <div>
            <Button size="small" disabled={rules.length >= 20} onClick={() => onChange([...rules, begin])}>
              添加代为发起的人
            </Button>
          </div>
        </div>
      </Form.Item>
    </Form>
  );
}

interface RuleProps {
  no: number;
  rule: StartFor;
  names: Names;
  onChange: (part: Partial<StartFor> | null) => void;
}

function Rule({ no, rule, names, onChange }: RuleProps) {
  return (
    <fieldset className="kit-stack settings-rule" aria-label={`代他人发起 ${no}`}>
      <div className="kit-row">
        <span className="kit-grow">这些人可以代为发起</span>
        <Button
          type="text"
          aria-label={`删除代他人发起 ${no}`}
          icon={<DeleteOutlined />}
          onClick={() => onChange(null)}
        />
      </div>
      <Form.Item label="人员" htmlFor={`start-for-${no}-users`}>
        <PersonPicker
          id={`start-for-${no}-users`}
          by="id"
          multiple
          value={rule.users}
          known={names.cards(rule.users)}
          onChange={(users) => onChange({ users })}
        />
      </Form.Item>
      <Form.Item label="角色" htmlFor={`start-for-${no}-roles`}>
        <RolePicker
          id={`start-for-${no}-roles`}
          names={names}
          value={[...rule.roles]}
          onChange={(roles) => onChange({ roles })}
        />
      </Form.Item>
      <Form.Item label="用户组">
        <GroupPicker names={names} value={rule.groups} onChange={(groups) => onChange({ groups })} />
      </Form.Item>
      <Form.Item label="代这些部门（含下级）的人" htmlFor={`start-for-${no}-depts`}>
        <Checkbox checked={rule.own_dept} onChange={({ target }) => onChange({ own_dept: target.checked })}>
          代为发起的人自己的部门
        </Checkbox>
        <DeptPicker
          id={`start-for-${no}-depts`}
          multiple
          value={rule.depts}
          onChange={(depts) => onChange({ depts })}
        />
      </Form.Item>
    </fieldset>
  );
}
