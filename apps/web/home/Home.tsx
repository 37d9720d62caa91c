import { Skeleton } from 'antd';
import { Suspense, useContext, useMemo } from 'react';
import { later } from '#kernel/web/later.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import { registry } from '../pages.ts';
import { PageBoundary } from '../shell/PageBoundary.tsx';
import { useSession } from '../shell/SessionContext.ts';
import { QuickStarts } from './QuickStarts.tsx';
import './home.css';

/** “What is waiting for me?”: the parts the modules contribute, then what I start most. */
export default function Home() {
  const { me } = useSession();
  const codesAt = useContext(PermissionContext);
  const widgets = useMemo(
    () =>
      registry.home
        .filter((widget) => widget.shows?.(codesAt) ?? true)
        .map((widget) => ({ ...widget, Part: later(widget.load) })),
    [codesAt],
  );
  return (
    <div className="home">
      <h1>{me.alias}</h1>
      <p className="kit-muted">
        {me.department && `${me.department} · `}
        {new Date().toLocaleDateString('zh-CN', { month: 'long', day: 'numeric', weekday: 'long' })}
      </p>
      <div className="home-grid">
        {widgets.map(({ key, title, width, Part }) => (
          <section key={key} className={`kit-panel home-${width}`} aria-label={title}>
            <h2>{title}</h2>
            <PageBoundary>
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 4 }} />}>
                <Part />
              </Suspense>
            </PageBoundary>
          </section>
        ))}
        <section className="kit-panel home-full" aria-label="快速开始">
          <h2>快速开始</h2>
          <QuickStarts />
        </section>
      </div>
    </div>
  );
}
