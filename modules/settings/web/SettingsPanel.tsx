import { Alert, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { CallFailed } from '#kernel/web/failure.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';

interface Reading {
  data: unknown;
  error: CallFailed | null;
  refetch: () => unknown;
}

/** The frame of a settings page: its heading, who may change it, and the form once it is read. */
export function SettingsPanel({
  title,
  reading: { data, error, refetch },
  readOnly,
  children,
}: {
  title: string;
  reading: Reading;
  readOnly: string | null;
  children: ReactNode;
}) {
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  return (
    <section className="kit-panel" aria-label={title}>
      <h1 style={{ marginTop: 0, fontSize: 18 }}>{title}</h1>
      {readOnly && <Alert type="info" showIcon title={readOnly} style={{ marginBottom: 16 }} />}
      {children}
    </section>
  );
}
