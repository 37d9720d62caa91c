import { Alert, App, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import type { Rules } from '#kernel/contract/rules.ts';
import { useCall } from '../../calls.ts';
import { CallForm } from '../form/CallForm.tsx';
import { fieldsOf, type Instead } from '../form/fields.ts';
import { FailedState } from '../show/FailedState.tsx';

interface Props {
  rules: Pick<Rules, 'key' | 'title' | 'shape'>;
  read: Calls[string];
  save: Calls[string];
  /** The reason why the rules are read-only; null if they may be changed, undefined while that is unknown. */
  readOnly: string | null | undefined;
  instead?: Instead;
  /** Derives the form's initial values from the stored ones. */
  initial?: (value: Record<string, unknown>) => Record<string, unknown>;
  secret?: boolean;
  /** Added to the call's own message after saving. */
  saved?: string;
  /** The surroundings already show the title. */
  untitled?: boolean;
  /** Shows the consequences of the present values before they are saved. */
  effect?: (values: Record<string, unknown>) => ReactNode;
  children?: ReactNode;
}

/** The form of rules, with titles, help and checks from their shape. */
export function RulesPanel(props: Props) {
  const { rules, read, save, readOnly, instead, initial, secret, saved = '', untitled, effect, children } = props;
  const { message } = App.useApp();
  const { data, error, refetch } = useCall(read, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  const fields = fieldsOf(rules.shape, instead);
  // About as tall as its fields, so that the content below does not move.
  if (!data || readOnly === undefined)
    return <Skeleton active className="kit-panel" paragraph={{ rows: fields.length * 3 }} />;
  const { value, version } = data as { value: Record<string, unknown>; version: number };
  return (
    <section className={untitled ? undefined : 'kit-panel'} aria-label={rules.title}>
      {!untitled && <h1 style={{ marginTop: 0, fontSize: '1.125rem' }}>{rules.title}</h1>}
      {readOnly && <Alert type="info" showIcon title={readOnly} style={{ marginBottom: 16 }} />}
      {readOnly === null && (
        <CallForm
          key={version}
          name={`settings-${rules.key}`}
          secret={secret ?? false}
          call={save}
          initial={initial?.(value) ?? value}
          also={{ version }}
          submit={`保存${rules.title}`}
          {...(effect ? { extra: effect } : {})}
          onDone={() => void message.success(`${save.message ?? '已保存'}${saved}`)}
          fields={fields}
        />
      )}
      {children}
    </section>
  );
}
