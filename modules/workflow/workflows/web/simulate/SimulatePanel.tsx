import { Alert, Button, Drawer, Form, Select } from 'antd';
import { useMemo, useState } from 'react';
import { useSend } from '#kernel/web/calls.ts';
import { HeldSays } from '#kernel/web/kit/form/parts/HeldSays.tsx';
import { HoldContext, useHeld } from '#kernel/web/kit/form/parts/waiting.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import type { Design } from '../../contract/design.ts';
import { releaseCalls } from '../../contract/release.ts';
import { fieldItem } from '../../engine/field-item.ts';
import { openColumns } from '../../engine/fields/rights.ts';
import { useWorks } from '../fields/useWorks.ts';
import { settledItems } from '../../engine/fields/settled-items.ts';
import { fieldAccess, participantType } from '../../engine/codes.ts';
import { positionsOf, type Draft } from '../designer/state/draft.ts';
import { TicketFields } from '../fields/TicketFields.tsx';
import { graphOfDefinition } from '../graph/of-draft.ts';
import WorkflowGraph from '../graph/WorkflowGraph.tsx';
import type { Names } from '../names.ts';
import { pathOf } from './outcome.ts';
import { StepList } from './StepList.tsx';
import './simulate.css';

interface Props {
  design: Design;
  draft: Draft;
  names: Names;
  onClose: () => void;
}
const chosenBy: readonly string[] = ['creator_select', 'handler_select'];

/** Tries the saved draft with an applicant and values: the exact path, the people, and the reasons. */
export function SimulatePanel({ design, draft, names, onClose }: Props) {
  const narrow = useNarrow();
  const [applicant, setApplicant] = useState('');
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [decisions, setDecisions] = useState<Record<string, string>>({});
  const [choose, setChoose] = useState<Record<string, string[]>>({});
  const running = useSend(releaseCalls.simulate, { invalidates: [] });
  const { data: found } = running;
  const graph = useMemo(() => graphOfDefinition(draft, names), [draft, names]);
  const at = useMemo(() => positionsOf(draft) ?? undefined, [draft]);
  const path = useMemo(() => pathOf(found?.steps ?? []), [found]);
  const items = draft.fields.map((field, index) => {
    const access = draft.states.find((state) => state.kind === 'start')?.access[field.key];
    return fieldItem(
      field,
      index + 1,
      {
        access: access === fieldAccess.required ? fieldAccess.required : fieldAccess.optional,
        columns: openColumns(field),
      },
      field.default_value ?? (field.template || null),
      '',
    );
  });
  const works = useWorks(items);
  const { held, hold } = useHeld();
  const asked = draft.states.filter((state) =>
    state.participants.some((one) => one.type === participantType.variable && chosenBy.includes(one.variable)),
  );
  const run = (picked: Record<string, string>) => {
    setDecisions(picked);
    const initial = Object.fromEntries(
      items.filter((item) => item.field_value !== null).map((item) => [item.field_key, item.field_value]),
    );
    running.mutate({
      params: { id: design.id },
      body: { applicant, values: { ...initial, ...values }, choose, decisions: picked },
    });
  };
  return (
    <Drawer open title="模拟流程" size={narrow ? '100%' : 'min(1180px, 92vw)'} onClose={onClose}>
      <div className="simulate">
        <div className="kit-stack">
          <Form layout="vertical" component="div">
            <Form.Item label="发起人" htmlFor="simulate-who" required>
              <PersonPicker id="simulate-who" value={applicant} onChange={(name) => setApplicant(name ?? '')} />
            </Form.Item>
            {asked.map((state) => (
              <Form.Item key={state.key} label={`“${state.name}”选定的办理人`} htmlFor={`simulate-${state.key}`}>
                <PersonPicker
                  id={`simulate-${state.key}`}
                  multiple
                  value={choose[state.key] ?? []}
                  onChange={(people) => setChoose({ ...choose, [state.key]: people })}
                />
              </Form.Item>
            ))}
          </Form>
          <HoldContext value={hold}>
            <TicketFields
              items={settledItems(items, values, works)}
              edited={values}
              errors={[]}
              onEdit={(key, value) => setValues({ ...values, [key]: value })}
            />
          </HoldContext>
          <div className="kit-actions">
            <Button
              type="primary"
              disabled={!applicant || held.length > 0}
              loading={running.isPending}
              onClick={() => run(decisions)}
            >
              开始模拟
            </Button>
            <HeldSays held={held} />
          </div>
        </div>
        <div className="kit-stack">
          {found && (
            <Alert
              type={found.finishes ? 'success' : 'warning'}
              showIcon
              title={
                found.finishes
                  ? `走完全程，共 ${found.steps.length} 步，结果：${found.act_state_name}`
                  : `流程未走完：${found.stop}`
              }
              description={found.title && `工单标题：${found.title}`}
            />
          )}
          <WorkflowGraph {...graph} {...(at && { positions: at })} {...path} height={narrow ? 260 : 380} />
          {found && (
            <StepList
              steps={found.steps}
              decisionOf={(step) => {
                const exits = draft.transitions.filter((one) => one.source === step.state_id);
                if (step.kind !== 'approve' && step.kind !== 'handle') return null;
                if (exits.length < 2) return null;
                return (
                  <Select
                    size="small"
                    aria-label={`“${step.state_name}”改选`}
                    className="designer-half"
                    placeholder="改走其他流转"
                    options={exits.map((one) => ({ value: one.key, label: one.name }))}
                    value={decisions[step.state_key]}
                    onChange={(key) => run({ ...decisions, [step.state_key]: key })}
                  />
                );
              }}
            />
          )}
          {found?.ignored.map((one) => (
            <p key={one.field_key} className="kit-muted">
              {one.msg}
            </p>
          ))}
        </div>
      </div>
    </Drawer>
  );
}
