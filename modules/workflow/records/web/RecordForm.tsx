import { Skeleton } from 'antd';
import type { ReactNode } from 'react';
import type { Calls } from '#kernel/contract/call.ts';
import { CallForm, type CallFormProps } from '#kernel/web/kit/form/CallForm.tsx';
import { usePageTitle } from '#kernel/web/kit/page.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';

export interface RecordFormProps<C extends Calls[string]> extends CallFormProps<C> {
  title: string;
  /** A note to read before filling it in. */
  note?: ReactNode;
  /** Set while its initial values are being fetched, or if that failed. */
  coming?: boolean;
  error?: unknown;
  retry?: () => void;
}

/** The form of a record as a page of its own, for writing, changing or sending it again. */
export function RecordForm<C extends Calls[string]>(props: RecordFormProps<C>) {
  const { title, note, coming, error, retry, ...form } = props;
  usePageTitle(title);
  return (
    <section className="kit-detail" aria-label={title}>
      <header className="kit-panel kit-detail-head">
        <h1>{title}</h1>
        {note && <p className="kit-muted">{note}</p>}
      </header>
      {error ? (
        <FailedState error={error} retry={retry} />
      ) : coming ? (
        <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />
      ) : (
        <div className="kit-panel">
          <CallForm<C> {...form} />
        </div>
      )}
    </section>
  );
}
