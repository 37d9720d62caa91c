import { Checkbox, Form, Radio, Select, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { distributeType, onEmpty, onSelf, rejectRule } from '../../engine/codes.ts';
import {
  asksEverybody,
  asksPeople,
  awaitedIn,
  type Definition,
  type Distribution,
  type State,
} from '../../engine/definition.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import type { Names } from '../names.ts';
import { distributionNames, emptyNames, numbered, refusalNames, rejectNames, selfNames } from '../words.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { ParticipantEditor } from './people/ParticipantEditor.tsx';
import { WhoWould } from './people/WhoWould.tsx';

export interface StateTabProps {
  state: State;
  definition: Definition;
  names: Names;
  onChange: (part: Partial<State>) => void;
}

/** A state's people, the way they decide together, and the rules for finding the applicant or nobody. */
export function PeopleTab({ state, definition, names, onChange }: StateTabProps) {
  const { distribution } = state;
  const decides = asksPeople(state);
  return (
    <Form layout="vertical" component="div">
      <Form.Item label={state.kind === 'cc' ? '抄送给' : '办理人'} extra={hintFor(state)}>
        <ParticipantEditor
          value={state.participants}
          definition={definition}
          names={names}
          onChange={(participants) => onChange({ participants })}
        />
      </Form.Item>
      {decides && (
        <>
          <Form.Item label="多人时的办理方式">
            <Radio.Group
              className="designer-radios"
              aria-label="多人时的办理方式"
              options={numbered(distributionNames)}
              value={distribution.type}
              onChange={(event) => onChange({ distribution: distributionOf(event.target.value) })}
            />
          </Form.Item>
          {distribution.type === distributeType.claim && (
            <Form.Item>
              <Checkbox
                checked={distribution.always ?? false}
                onChange={(event) =>
                  onChange({
                    distribution: { type: distribution.type, ...(event.target.checked ? { always: true } : {}) },
                  })
                }
              >
                只有一人时也要先接单
              </Checkbox>
            </Form.Item>
          )}
          {distribution.type === distributeType.direct && (
            <LabelledSelect
              id="state-refusal"
              label="有人拒绝时"
              options={numbered(refusalNames)}
              value={distribution.reject_rule}
              onChange={(reject_rule) => onChange({ distribution: { ...distribution, reject_rule } })}
            />
          )}
          {distribution.type === distributeType.all && (
            <Form.Item label="会签规则">
              <Space wrap>
                <Select
                  aria-label="会签规则"
                  className="designer-half"
                  options={numbered(rejectNames)}
                  value={distribution.reject_rule}
                  onChange={(reject_rule) => onChange({ distribution: { ...distribution, reject_rule } })}
                />
                {distribution.reject_rule === rejectRule.ratio && (
                  <NumberInput
                    aria-label="通过比例"
                    min={1}
                    max={100}
                    suffix="%"
                    value={distribution.pass_ratio}
                    onChange={(ratio) => onChange({ distribution: { ...distribution, pass_ratio: ratio ?? 100 } })}
                  />
                )}
              </Space>
            </Form.Item>
          )}
          {asksEverybody(state) && (
            <Form.Item extra="不勾选时按人计：代他人表态也算本人的一席，另一席要转交他人">
              <Checkbox
                checked={state.several_seats}
                onChange={(event) => onChange({ several_seats: event.target.checked })}
              >
                同一个人可以占几席
              </Checkbox>
            </Form.Item>
          )}
          <LabelledSelect
            id="state-self"
            label="办理人就是发起人时"
            extra={selfHints[state.on_self]}
            options={numbered(selfNames)}
            value={state.on_self}
            onChange={(on_self) => onChange({ on_self })}
          />
          <LabelledSelect
            id="state-empty"
            label="找不到办理人时"
            extra={
              state.on_empty === onEmpty.up
                ? '从办理人所在的部门（没有指定部门的，从发起人的部门）向上，由第一个有负责人的部门办理；都没有的，首次提交时不允许提交，办理途中交流程管理员'
                : undefined
            }
            options={numbered(emptyNames)}
            value={state.on_empty}
            onChange={(on_empty) => onChange({ on_empty })}
          />
          {state.on_empty === onEmpty.users && (
            <Form.Item label="由谁处理" htmlFor="state-empty-users">
              <PersonPicker
                id="state-empty-users"
                by="id"
                multiple
                value={state.on_empty_users}
                known={names.cards(state.on_empty_users)}
                onChange={(on_empty_users) => onChange({ on_empty_users })}
              />
            </Form.Item>
          )}
          <Form.Item
            label="办过这些环节的人不能办理"
            htmlFor="state-apart"
            extra="如经办与复核不能是同一个人；转交、加签、代办也不能绕过"
          >
            <Select
              id="state-apart"
              mode="multiple"
              allowClear
              placeholder="不限"
              options={definition.states
                .filter((other) => other.key !== state.key && (other.kind === 'start' || asksPeople(other)))
                .map(({ key, name }) => ({ value: key, label: name }))}
              value={[...(state.not_done_by ?? [])]}
              onChange={(keys) => onChange({ not_done_by: keys.length > 0 ? keys : undefined })}
            />
          </Form.Item>
          <Form.Item>
            <Checkbox
              checked={state.dedupe === 'round'}
              onChange={(event) => onChange({ dedupe: event.target.checked ? 'round' : 'none' })}
            >
              本轮已同意过、看到的内容没有变化的人不再询问
            </Checkbox>
            {state.kind !== 'subticket' && (
              <>
                <br />
                <Checkbox
                  checked={state.keep_unchanged ?? false}
                  onChange={(event) => onChange({ keep_unchanged: event.target.checked || undefined })}
                >
                  退回重办时，内容没有变化的，沿用原来的同意
                </Checkbox>
              </>
            )}
            {!asksEverybody(state) && (
              <>
                <br />
                <Checkbox
                  checked={state.remember_last}
                  onChange={(event) => onChange({ remember_last: event.target.checked })}
                >
                  再次到达时优先交给上次处理的人
                </Checkbox>
              </>
            )}
          </Form.Item>
        </>
      )}
      <WhoWould state={state} />
    </Form>
  );
}

const selfHints = {
  [onSelf.asUsual]: '发起人可以办理自己的工单',
  [onSelf.skip]: '没有其他办理人时不再办理；由字段或他人选到发起人的，仍须他人处理',
  [onSelf.superior]: '发起人不能决定自己的工单；上面没有别人时，由流程管理员处理',
};

function hintFor(state: State): string | undefined {
  if (state.kind === 'subticket') return '由办理人发起下级工单；没有发起时，由办理人点按钮继续';
  if (awaitedIn(state) === 'people') return '到这里时向外部系统要办理人；一小时内没有给出，按下面“找不到办理人时”办理';
  return undefined;
}

function distributionOf(type: Distribution['type']): Distribution {
  if (type === distributeType.all) return { type, reject_rule: rejectRule.veto, pass_ratio: 100 };
  return type === distributeType.direct ? { type, reject_rule: rejectRule.veto } : { type };
}
