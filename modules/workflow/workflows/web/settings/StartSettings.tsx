import { Checkbox, Form, Select, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import type { LimitRule } from '../../engine/definition.ts';
import { DeptPicker, PersonPicker } from '#modules/platform/people/widgets.tsx';
import type { Names } from '../names.ts';
import { RolePicker } from '../RolePicker.tsx';

interface Props {
  limit: LimitRule;
  names: Names;
  onChange: (limit: LimitRule) => void;
}

/** The people who may start a ticket, and how many. */
export function StartSettings({ limit, names, onChange }: Props) {
  const change = (part: Partial<LimitRule>) => onChange({ ...limit, ...part });
  const { rate } = limit;
  return (
    <Form layout="vertical" component="div">
      <p className="kit-muted">三项都不选时，所有人都可以发起</p>
      <Form.Item label="部门（含下级）" htmlFor="limit-depts">
        <DeptPicker id="limit-depts" multiple value={limit.depts} onChange={(depts) => change({ depts })} />
      </Form.Item>
      <Form.Item label="角色" htmlFor="limit-roles">
        <RolePicker id="limit-roles" names={names} value={[...limit.roles]} onChange={(roles) => change({ roles })} />
      </Form.Item>
      <Form.Item label="人员" htmlFor="limit-users">
        <PersonPicker
          id="limit-users"
          by="id"
          multiple
          value={limit.users}
          known={names.cards(limit.users)}
          onChange={(users) => change({ users })}
        />
      </Form.Item>
      <Excluded limit={limit} names={names} onChange={(except) => change({ except })} />
      <Form.Item label="每人同时未办结的最多张数" htmlFor="limit-open">
        <NumberInput
          id="limit-open"
          min={1}
          precision={0}
          placeholder="不限"
          value={limit.concurrent_open}
          onChange={(concurrent_open) => change({ concurrent_open })}
        />
      </Form.Item>
      <Form.Item>
        <Checkbox
          checked={rate !== null}
          onChange={(event) => change({ rate: event.target.checked ? { period: 24, count: 1, level: 1 } : null })}
        >
          限制发起次数
        </Checkbox>
        {rate && (
          <Space wrap>
            <NumberInput
              aria-label="周期"
              min={1}
              max={8760}
              suffix="小时内"
              value={rate.period}
              onChange={(period) => change({ rate: { ...rate, period: period ?? 24 } })}
            />
            <NumberInput
              aria-label="次数"
              min={1}
              precision={0}
              suffix="次"
              value={rate.count}
              onChange={(count) => change({ rate: { ...rate, count: count ?? 1 } })}
            />
            <Select
              aria-label="次数的算法"
              options={[
                { value: 1, label: '每人' },
                { value: 2, label: '全体合计' },
              ]}
              value={rate.level}
              onChange={(level) => change({ rate: { ...rate, level } })}
            />
          </Space>
        )}
      </Form.Item>
    </Form>
  );
}

interface ExcludedProps {
  limit: LimitRule;
  names: Names;
  onChange: (except: LimitRule['except']) => void;
}
const nobody = { users: [], depts: [], roles: [] };

/** The people who may not start a ticket although the range above includes them. */
function Excluded({ limit, names, onChange }: ExcludedProps) {
  const { except } = limit;
  const now = except ?? nobody;
  const change = (part: Partial<typeof now>) => onChange({ ...now, ...part });
  return (
    <Form.Item>
      <Checkbox checked={except !== undefined} onChange={({ target }) => onChange(target.checked ? nobody : undefined)}>
        排除其中的一部分人
      </Checkbox>
      {except && (
        <>
          <Form.Item label="排除的部门（含下级）" htmlFor="except-depts">
            <DeptPicker id="except-depts" multiple value={now.depts} onChange={(depts) => change({ depts })} />
          </Form.Item>
          <Form.Item label="排除的角色" htmlFor="except-roles">
            <RolePicker
              id="except-roles"
              names={names}
              value={[...now.roles]}
              onChange={(roles) => change({ roles })}
            />
          </Form.Item>
          <Form.Item label="排除的人员" htmlFor="except-users">
            <PersonPicker
              id="except-users"
              by="id"
              multiple
              value={now.users}
              known={names.cards(now.users)}
              onChange={(users) => change({ users })}
            />
          </Form.Item>
        </>
      )}
    </Form.Item>
  );
}
