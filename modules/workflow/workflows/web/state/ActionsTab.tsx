import { Checkbox, Form, Select, Space, Switch } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { timeoutAction } from '../../engine/codes.ts';
import { asksPeople, stateActions, type StateAction } from '../../engine/definition.ts';
import { completing } from '../../engine/meanings.ts';
import { actionNames, numbered, timeoutNames } from '../words.ts';
import { MeaningSelects } from './MeaningSelects.tsx';
import { withLabel } from './label.ts';
import type { StateTabProps } from './PeopleTab.tsx';

/** Actions available here besides the buttons, the deadline, and the rule for missing it. */
export function ActionsTab({ state, names, onChange }: Pick<StateTabProps, 'state' | 'names' | 'onChange'>) {
  const { timeout } = state;
  const change = (part: Partial<NonNullable<typeof timeout>>) =>
    timeout && onChange({ timeout: { ...timeout, ...part } });
  return (
    <Form layout="vertical" component="div">
      <Form.Item label="允许的操作" extra="“撤回”指工单在这个环节、本轮还没有人办理时，发起人可以撤回">
        <Checkbox.Group
          className="designer-checks"
          options={stateActions.map((action) => ({ value: action, label: actionNames[action] }))}
          value={[...state.actions]}
          onChange={(actions) => onChange({ actions: actions as StateAction[] })}
        />
      </Form.Item>
      {state.actions.includes('retreat') && (
        <Form.Item label="有人办理后仍可撤回" htmlFor="state-retreat">
          <Switch
            id="state-retreat"
            checked={state.label['retreat'] === 'always'}
            onChange={(always) => onChange({ label: withLabel(state.label, 'retreat', always ? 'always' : null) })}
          />
        </Form.Item>
      )}
      {asksPeople(state) && (
        <MeaningSelects
          state={state}
          meanings={names.meanings.filter((one) => one.key === completing.key)}
          onChange={onChange}
        />
      )}
      <Form.Item label="办理时限" htmlFor="state-timeout">
        <Switch
          id="state-timeout"
          checked={timeout !== null}
          onChange={(on) =>
            onChange({ timeout: on ? { hours: 24, working_time: true, action: timeoutAction.remind } : null })
          }
        />
      </Form.Item>
      {timeout && (
        <Form.Item label="超过时限">
          <Space wrap>
            <NumberInput
              aria-label="时限"
              min={0.5}
              max={8760}
              value={timeout.hours}
              onChange={(hours) => change({ hours: hours ?? 24 })}
            />
            <Select
              aria-label="时限的算法"
              options={[
                { value: 1, label: '个工作小时后' },
                { value: 0, label: '小时后' },
              ]}
              value={timeout.working_time ? 1 : 0}
              onChange={(working) => change({ working_time: working === 1 })}
            />
            <Select
              aria-label="超过时限后"
              options={numbered(timeoutNames)}
              value={timeout.action}
              onChange={(action) => change({ action })}
            />
            {timeout.action === timeoutAction.remind && (
              <>
                <NumberInput
                  aria-label="提醒次数"
                  min={1}
                  max={20}
                  precision={0}
                  prefix="共"
                  suffix="次"
                  value={timeout.times ?? 1}
                  onChange={(times) => change({ times: times ?? 1, every: timeout.every ?? 24 })}
                />
                {(timeout.times ?? 1) > 1 && (
                  <NumberInput
                    aria-label="每隔几小时"
                    min={1}
                    max={720}
                    prefix="每隔"
                    suffix="小时"
                    value={timeout.every ?? 24}
                    onChange={(every) => change({ every: every ?? 24 })}
                  />
                )}
              </>
            )}
          </Space>
          <NumberInput
            aria-label="到期前几小时提醒"
            min={1}
            max={720}
            prefix="到期前"
            suffix={timeout.working_time ? '个工作小时提醒' : '小时提醒'}
            placeholder="不提醒"
            value={timeout.before ?? null}
            onChange={(before) => change({ before: before ?? undefined })}
          />
          {timeout.action === timeoutAction.transfer && (
            <PersonPicker
              id="state-timeout-users"
              by="id"
              multiple
              value={[...(timeout.users ?? [])]}
              known={names.cards(timeout.users ?? [])}
              onChange={(users) => change({ users })}
            />
          )}
        </Form.Item>
      )}
      <Form.Item label="在步骤中隐藏" htmlFor="state-hidden" extra="工单不在这里时，不在步骤条中显示">
        <Switch id="state-hidden" checked={state.hidden} onChange={(hidden) => onChange({ hidden })} />
      </Form.Item>
    </Form>
  );
}
