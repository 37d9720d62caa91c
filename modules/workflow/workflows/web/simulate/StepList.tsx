import { Tag } from 'antd';
import type { ReactNode } from 'react';
import type { SimulatedStep } from '../../contract/release.ts';
import { outcomeNames } from './outcome.ts';

interface Props {
  steps: readonly SimulatedStep[];
  /** A control to choose another decision at a step, or null. */
  decisionOf: (step: SimulatedStep) => ReactNode;
}

/** The path of a simulated ticket, step by step: people, reasons, decisions. */
export function StepList({ steps, decisionOf }: Props) {
  return (
    <ol className="simulate-steps" aria-label="经过的环节">
      {steps.map((step) => (
        <li key={`${step.state_id}:${step.visit}`}>
          <div className="kit-row">
            <strong>
              {step.state_name}
              {step.visit > 1 && `（第 ${step.visit} 次）`}
            </strong>
            <Tag color={step.outcome === 'undecided' ? 'warning' : 'default'}>{outcomeNames[step.outcome]}</Tag>
            {step.transition && <span className="kit-muted">→ {step.transition.name}</span>}
            <span className="kit-grow" />
            {decisionOf(step)}
          </div>
          {step.people.length > 0 && (
            <p>
              {step.kind === 'cc' ? '抄送：' : '办理人：'}
              {step.people.map((one) => `${one.alias}${one.dept_name && `（${one.dept_name}）`}`).join('、')}
            </p>
          )}
          {step.left_out.length > 0 && (
            <p className="kit-muted">不再询问：{step.left_out.map((one) => one.alias).join('、')}</p>
          )}
          {step.reasons.map((reason) => (
            <p key={reason} className="kit-muted">
              {reason}
            </p>
          ))}
        </li>
      ))}
    </ol>
  );
}
