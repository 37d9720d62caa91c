import type { ReactNode } from 'react';
import { Skeleton } from 'antd';
import { TogetherContext, useTogether } from '../live/together.ts';
import { CopyText } from './show/CopyText.tsx';
import { FailedState } from './show/FailedState.tsx';
import { usePageTitle } from './page.tsx';
import './kit.css';

export interface DetailPageProps {
  title?: string;
  /** Serial number; a click copies it. */
  sn?: string;
  status?: ReactNode;
  /** The present handlers, and since when. */
  holder?: ReactNode;
  loading?: boolean;
  error?: unknown;
  retry?: () => void;
  /** Shown in the left two thirds. */
  children: ReactNode;
  /** Shown in the right third: steps, people, time. */
  side?: ReactNode;
  /** Action bar that sticks to the bottom: the most likely action filled, the others grouped. */
  actions?: ReactNode;
}

/** The frame of a record's page: header, body, side, and an action bar that stays visible. */
export function DetailPage(props: DetailPageProps) {
  const { title, sn, status, holder, loading, error, retry, children, side, actions } = props;
  usePageTitle(title, sn);
  const { shown, wait } = useTogether(!loading && !error);
  if (error)
    return (
      <section className="kit-list">
        <h1>{title || '无法显示'}</h1>
        <FailedState error={error} retry={retry} />
      </section>
    );
  const coming = <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  if (loading) return coming;
  return (
    <TogetherContext value={wait}>
      {!shown && coming}
      <article className="kit-detail" data-coming={!shown || undefined}>
        <header className="kit-panel kit-detail-head">
          <h1>{title}</h1>
          <div className="kit-row">
            {sn && <CopyText text={sn} />}
            {status}
            {holder && <span className="kit-muted">{holder}</span>}
          </div>
        </header>
        <div className={side ? 'kit-detail-body kit-with-side' : 'kit-detail-body'}>
          <div className="kit-stack">{children}</div>
          {side && <aside className="kit-stack">{side}</aside>}
        </div>
        {actions && (
          <footer className="kit-actions" aria-label="操作">
            {actions}
          </footer>
        )}
      </article>
    </TogetherContext>
  );
}
