import { keepPreviousData } from '@tanstack/react-query';
import { Alert, Button, Steps } from 'antd';
import { useEffect, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { activityCalls } from '../../contract/activities.ts';
import { ActivityInput } from '../../contract/shapes.ts';

/** The values of the form that are complete enough to be judged. */
const sound = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) =>
        value !== '' && key in ActivityInput.shape && ActivityInput.shape[key as 'title'].safeParse(value).success,
    ),
  );
const focus = (field: string) => document.getElementById(field)?.focus();

/** 审批预览: the reviews and their reasons, the time left, missing fields and clashes. */
export function Preview({ values, id }: { values: Record<string, unknown>; id?: number | undefined }) {
  const [asked, setAsked] = useState(() => sound(values));
  useEffect(() => {
    const timer = setTimeout(() => setAsked(sound(values)), 500);
    return () => clearTimeout(timer);
  }, [values]);
  const body = { ...asked, ...(id ? { id } : {}) };
  const { data } = useCall(activityCalls.check, { body }, { placeholderData: keepPreviousData, quiet: true });
  if (!data) return null;
  const { verdict, steps, refused } = data;
  return (
    <section className="kit-panel kit-stack" aria-label="审批预览">
      <h2>审批预览</h2>
      <Steps
        orientation="vertical"
        size="small"
        current={-1}
        items={steps.map(({ key, name, why }) => ({ key, title: name, content: why }))}
      />
      <span className="kit-muted">
        须提前 {verdict.lead_days} 个工作日，最早可在 {verdict.earliest} 举办
      </span>
      {verdict.urgent && <Alert type="error" showIcon title="急办：提前量不足，审批人会看到急办原因" />}
      {refused && (
        <Alert
          type="error"
          showIcon
          title={refused}
          action={
            <Button size="small" onClick={() => focus('start_time')}>
              改期
            </Button>
          }
        />
      )}
      {verdict.warnings.map((warning) => (
        <Alert
          key={warning}
          type="warning"
          showIcon
          title={warning}
          action={
            <span className="kit-row">
              <Button size="small" onClick={() => focus('start_time')}>
                改期
              </Button>
              <Button size="small" onClick={() => focus('room_id')}>
                换场地
              </Button>
            </span>
          }
        />
      ))}
      {verdict.missing.length > 0 && (
        <span className="kit-row">
          <span className="kit-muted">还差</span>
          {[...new Map(verdict.missing.map((one) => [one.label, one.field]))].map(([label, field]) => (
            <Button key={label} type="link" size="small" className="activity-missing" onClick={() => focus(field)}>
              {label}
            </Button>
          ))}
        </span>
      )}
    </section>
  );
}
