import { Skeleton } from 'antd';
import { Suspense, useContext, useMemo } from 'react';
import { houseZone } from '#kernel/contract/moment.ts';
import { later } from '#kernel/web/later.tsx';
import { PermissionContext } from '#kernel/web/kit/permission.tsx';
import type { HomeWidget } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';
import { PageBoundary } from '../shell/PageBoundary.tsx';
import { useSession } from '../shell/SessionContext.ts';
import { QuickStarts } from './QuickStarts.tsx';
import { Waiting } from './Waiting.tsx';
import { WholeRows } from './WholeRows.tsx';
import './home.css';

/** The home page: the list of what waits for me, my day beside it, and the pages I open most below. */
export default function Home() {
  const { me } = useSession();
  const codesAt = useContext(PermissionContext);
  const parts = useMemo(
    () =>
      registry.home
        .filter((widget) => widget.shows?.(codesAt) ?? true)
        .map((widget) => ({ ...widget, Part: later(widget.load) })),
    [codesAt],
  );
  const placed = (place: HomeWidget['place']) =>
    parts
      .filter((widget) => widget.place === place)
      .map(({ key, title, Part }) => (
        <section key={key} className={`kit-panel home-${place}`} aria-label={title}>
          <h2>{title}</h2>
          <PageBoundary>
            <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 3 }} />}>
              {place === 'beside' ? (
                <WholeRows>
                  <Part />
                </WholeRows>
              ) : (
                <Part />
              )}
            </Suspense>
          </PageBoundary>
        </section>
      ));
  return (
    <div className="home">
      <h1>
        {me.alias}
        <span className="kit-muted">
          {me.department && `${me.department} · `}
          {new Date().toLocaleDateString('zh-CN', {
            timeZone: houseZone,
            month: 'long',
            day: 'numeric',
            weekday: 'long',
          })}
        </span>
      </h1>
      {placed('above')}
      <div className="home-grid">
        <div className="home-side">
          <section className="kit-panel home-main" aria-label="等我处理">
            <h2>等我处理</h2>
            <PageBoundary>
              <Waiting />
            </PageBoundary>
          </section>
          <section className="kit-panel" aria-label="快速开始">
            <h2>快速开始</h2>
            <QuickStarts />
          </section>
        </div>
        <div className="home-side">{placed('beside')}</div>
      </div>
    </div>
  );
}
