import { Alert, Button, Form, Input, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { asksPeople, awaitedIn, exitsOf, type State, type Transition } from '../../engine/definition.ts';
import { completing } from '../../engine/meanings.ts';
import { addable, automatic } from '../designer/kinds.ts';
import { coded, kindNames, restNames, turnNames } from '../words.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { ActionsTab } from './ActionsTab.tsx';
import { ChildrenForm } from './ChildrenForm.tsx';
import { DelayForm } from './DelayForm.tsx';
import { FieldsTab } from './FieldsTab.tsx';
import { HookForm } from './HookForm.tsx';
import { MeaningSelects } from './MeaningSelects.tsx';
import { PeopleTab, type StateTabProps } from './PeopleTab.tsx';

const changeable = addable.map(([kind]) => kind).filter((kind) => kind !== 'start' && kind !== 'end');

interface Props extends StateTabProps {
  problems: readonly string[];
  exits: readonly { id: number; name: string; to: string }[];
  onChangeExit: (id: number, part: Partial<Transition>) => void;
  onOpenExit: (transitionId: number) => void;
  onCopy: () => void;
  onRemove: () => void;
  /** Shown with the state's exits, above the actions on the state as a whole. */
  children?: ReactNode;
}

/** Everything about one state. */
export function StatePanel({ problems, exits, onOpenExit, onChangeExit, onCopy, onRemove, children, ...tab }: Props) {
  const { state, names, onChange } = tab;
  const fixed = state.kind === 'start' || state.kind === 'end';
  const decides = asksPeople(state);
  const hint = addable.find(([kind]) => kind === state.kind)?.[1];
  const waits = awaitedIn(state) === 'result';
  const formless = state.kind === 'end' || (state.kind !== 'cc' && !waits && automatic.includes(state.kind));
  const items = [
    ...(decides || state.kind === 'cc' ? [{ key: 'people', label: '办理人', children: <PeopleTab {...tab} /> }] : []),
    ...(formless ? [] : [{ key: 'fields', label: '字段权限', children: <FieldsTab {...tab} /> }]),
    ...(decides || state.kind === 'start'
      ? [{ key: 'actions', label: '操作与时限', children: <ActionsTab {...tab} /> }]
      : []),
  ];
  return (
    <div className="kit-stack">
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <Form layout="vertical" component="div">
        <Form.Item label="名称" htmlFor="state-name" required>
          <Input
            id="state-name"
            maxLength={50}
            value={state.name}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        </Form.Item>
        <LabelledSelect
          id="state-kind"
          label="类型"
          extra={hint}
          disabled={fixed}
          options={(fixed ? [state.kind] : changeable).map((kind) => ({ value: kind, label: kindNames[kind] }))}
          value={state.kind}
          onChange={(kind: State['kind']) => onChange({ kind })}
        />
        <MeaningSelects {...tab} meanings={names.meanings.filter((one) => !decides || one.key !== completing.key)} />
        {state.kind === 'hook' && <HookForm state={state} onChange={onChange} />}
        {state.kind === 'join' && (
          <Form.Item label="几个分支到达就继续" htmlFor="state-join" extra="填 1 为最先到达的一个。不填时等所有分支">
            <NumberInput
              id="state-join"
              min={1}
              max={100}
              precision={0}
              placeholder="全部"
              value={state.join_count ?? null}
              onChange={(count) =>
                onChange({ join_count: count ?? undefined, ...(count === null ? { join_rest: undefined } : {}) })
              }
            />
          </Form.Item>
        )}
        {state.kind === 'join' && state.join_count !== undefined && (
          <LabelledSelect
            id="state-rest"
            label="其余的分支"
            extra="继续办理时，他们照常办完，但不再影响工单；工单办结时一并结束"
            options={coded(restNames)}
            value={state.join_rest ?? 'end'}
            onChange={(join_rest: 'end' | 'run') => onChange({ join_rest: join_rest === 'run' ? 'run' : undefined })}
          />
        )}
        {state.kind === 'parallel_split' && (
          <LabelledSelect
            id="state-turns"
            label="各分支怎样办理"
            extra={state.turns ? '谁先接单谁先办，其他分支等着；分支里的环节要先接单再办理' : undefined}
            options={coded(turnNames)}
            value={state.turns ?? 'together'}
            onChange={(turns: keyof typeof turnNames) => onChange({ turns: turns === 'together' ? undefined : turns })}
          />
        )}
        {state.kind === 'subticket' && <ChildrenForm state={state} definition={tab.definition} onChange={onChange} />}
        {state.kind === 'delay' && <DelayForm exits={exitsOf(tab.definition, state.id)} onChange={onChangeExit} />}
      </Form>
      {items.length > 0 && <Tabs items={items} />}
      {exits.length > 0 && (
        <section aria-label="流转">
          <h3 className="designer-h">从这里出发的流转</h3>
          <ul className="designer-plain">
            {exits.map((exit) => (
              <li key={exit.id}>
                <button type="button" className="kit-link" onClick={() => onOpenExit(exit.id)}>
                  {exit.name} → {exit.to}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {children}
      <div className="kit-actions">
        {state.kind !== 'start' && <Button onClick={onCopy}>复制环节</Button>}
        <Button danger onClick={onRemove}>
          删除环节
        </Button>
      </div>
    </div>
  );
}
