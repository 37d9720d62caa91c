import { Dropdown } from 'antd';
import { useEffect, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { closedBy } from './tabs.ts';
import type { Closing, TabState } from './tabs.ts';

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

/** Tabs of the visited pages: arrows move, Enter opens, Delete closes, Shift F10 or a right click opens the menu. */
export function TabBar({ state, active, onGo, onClose, onRefresh }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active]);
  const keys = (event: KeyboardEvent, index: number) => {
    const view = state.visited[index];
    if (!view) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) bar.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index + step]?.focus();
    else if (event.key === 'Delete') onClose('current', view.path);
    else return;
    event.preventDefault();
  };
  return (
    <div className="tabs" role="tablist" aria-label="已打开的页面" ref={bar}>
      {state.visited.map((view, index) => (
        <Dropdown
          key={view.path}
          trigger={['contextMenu']}
          styles={{ root: { width: 105 } }}
          menu={{
            items: [
              { key: 'refresh', label: '刷新页面' },
              ...closings.map(([key, label]) => ({
                key,
                label,
                disabled: closedBy(state, key, view.path).length === 0,
              })),
            ],
            onClick: ({ key }) => (key === 'refresh' ? onRefresh(view.path) : onClose(key as Closing, view.path)),
          }}
        >
          <span className="tab" data-active={view.path === active}>
            <button
              type="button"
              role="tab"
              aria-selected={view.path === active}
              tabIndex={view.path === active || (index === 0 && !state.visited.some((v) => v.path === active)) ? 0 : -1}
              onClick={() => onGo(view.fullPath)}
              onKeyDown={(event) => keys(event, index)}
              onAuxClick={(event) => event.button === 1 && onClose('current', view.path)}
            >
              {view.title}
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
        </Dropdown>
      ))}
    </div>
  );
}
