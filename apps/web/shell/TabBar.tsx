import { Suspense, useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import type { Place } from './MenuAt.tsx';
import { closedBy } from './tabs.ts';
import type { Closing, TabState, View } from './tabs.ts';

const MenuAt = later(() => patiently(() => import('./MenuAt.tsx')));

interface Props {
  state: TabState;
  active: string;
  onGo: (fullPath: string) => void;
  onClose: (closing: Closing, path: string) => void;
  onRefresh: (path: string) => void;
}

const closings: [Closing, string][] = [
  ['current', '关闭当前'],
  ['others', '关闭其他'],
  ['right', '关闭右侧'],
  ['all', '关闭所有'],
];
const whole = ({ title, sn }: View) => (sn ? `${title} ${sn}` : title);

/**
 * Tabs of the visited pages: arrows move, Enter opens, Delete or a middle click closes, Shift F10 or a right click opens the menu. If they do not
 * fit, a list of all tabs is shown at the end.
 */
export function TabBar({ state, active, onGo, onClose, onRefresh }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<(Place & { path: string }) | null>(null);
  const [all, setAll] = useState<Place | null>(null);
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const shown = () => {
      const tabs = bar.current;
      if (!tabs) return;
      setOverflows(tabs.scrollWidth > tabs.clientWidth);
      tabs.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };
    shown();
    // The bar narrows with its window; a tab widens when its page sets a title.
    const watch = new ResizeObserver(shown);
    if (bar.current) watch.observe(bar.current);
    return () => watch.disconnect();
  }, [active, state.visited, overflows]);
  const keys = (event: KeyboardEvent, index: number) => {
    const view = state.visited[index];
    if (!view) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) bar.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index + step]?.focus();
    else if (event.key === 'Delete') onClose('current', view.path);
    else return;
    event.preventDefault();
  };
  const reach = (event: MouseEvent<HTMLElement>, path: string) => {
    event.preventDefault();
    const from = event.currentTarget.querySelector<HTMLElement>('[role="tab"]') ?? event.currentTarget;
    setMenu({ left: event.clientX, top: event.clientY, from, path });
  };
  return (
    <nav className="tabs-bar" aria-label="标签页">
      <div className="tabs" role="tablist" aria-label="已打开的页面" ref={bar}>
        {state.visited.map((view, index) => (
          <span
            key={view.path}
            role="presentation"
            className="tab"
            data-active={view.path === active}
            onContextMenu={(event) => reach(event, view.path)}
            // Pressing a middle button starts scrolling by default.
            onMouseDown={(event) => event.button === 1 && event.preventDefault()}
            onAuxClick={(event) => event.button === 1 && !view.affix && onClose('current', view.path)}
          >
            <button
              type="button"
              role="tab"
              title={whole(view)}
              aria-selected={view.path === active}
              tabIndex={view.path === active || (index === 0 && !state.visited.some((v) => v.path === active)) ? 0 : -1}
              onClick={() => onGo(view.fullPath)}
              onKeyDown={(event) => keys(event, index)}
            >
              <span className="tab-title">{view.title}</span>
              {view.sn && <span className="tab-sn"> {view.sn}</span>}
            </button>
            {!view.affix && (
              <button
                type="button"
                className="tab-close"
                tabIndex={-1}
                aria-hidden="true"
                onClick={() => onClose('current', view.path)}
              >
                ×
              </button>
            )}
          </span>
        ))}
      </div>
      {overflows && (
        <button
          type="button"
          className="tabs-all"
          aria-haspopup="menu"
          aria-expanded={all !== null}
          onClick={({ currentTarget: from }) => {
            const { left, bottom } = from.getBoundingClientRect();
            setAll({ left, top: bottom, from });
          }}
        >
          全部 {state.visited.length}
        </button>
      )}
      <Suspense>
        {menu && (
          <MenuAt
            key={menu.path}
            place={menu}
            width={105}
            items={[
              { key: 'refresh', label: '刷新页面' },
              ...closings.map(([key, label]) => ({
                key,
                label,
                disabled: closedBy(state, key, menu.path).length === 0,
              })),
            ]}
            onPick={(key) => (key === 'refresh' ? onRefresh(menu.path) : onClose(key as Closing, menu.path))}
            onClose={() => setMenu(null)}
          />
        )}
        {all && (
          <MenuAt
            place={all}
            items={state.visited.map((view) => ({ key: view.fullPath, label: whole(view) }))}
            onPick={onGo}
            onClose={() => setAll(null)}
          />
        )}
      </Suspense>
    </nav>
  );
}
