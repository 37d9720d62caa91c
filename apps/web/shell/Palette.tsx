import { Input, Modal } from 'antd';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSpelling } from '#kernel/web/kit/find/useSpelling.ts';
import type { Found } from '#kernel/web/registry.ts';
import { findInMenu, onePerPlace } from './findInMenu.ts';
import { useSession } from './SessionContext.ts';
import { useFound } from './usePalette.ts';
import { lastOpened } from './useTabs.ts';
import './palette.css';

const mostShown = 30;
/** The number of recent pages shown before anything is typed. */
const mostLast = 8;

/** The recently opened pages, without the present one. */
const lastBut = (at: string): Found[] =>
  lastOpened()
    .filter(({ path }) => path !== at)
    .slice(0, mostLast)
    .map(({ path, fullPath, title, sn }) => ({
      key: `last-${path}`,
      title,
      hint: ['最近打开', sn].filter(Boolean).join(' · '),
      to: fullPath,
    }));

/** Opens any page and starts any action by typing: pages of the menu at once, then actions, people and records as the modules find them. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { menu } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [text, setText] = useState('');
  // By key, so that results that arrive later move nothing under the keyboard.
  const [chosen, setChosen] = useState<string | null>(null);
  const [last] = useState(() => lastBut(pathname));
  const { found: more, left, failed } = useFound(text);
  const spelt = useSpelling(text);
  const typed = text.trim() !== '';
  const found = onePerPlace([
    ...(typed ? [] : last),
    ...findInMenu(menu, text, spelt),
    ...more.filter(({ act }) => act),
    ...more.filter(({ act, person }) => !act && person),
    ...more.filter(({ act, person }) => !act && !person),
  ]).slice(0, mostShown);
  const current = Math.max(
    0,
    found.findIndex(({ key }) => key === chosen),
  );
  const go = (one: Found | undefined) => {
    if (!one) return;
    onClose();
    void navigate(one.to);
  };
  const move = (step: number) => setChosen(found[Math.min(found.length - 1, Math.max(0, current + step))]?.key ?? null);
  return (
    <Modal
      open
      footer={null}
      closable={false}
      onCancel={onClose}
      styles={{ body: { padding: 0 } }}
      title={<span className="unseen">查找</span>}
    >
      <Input
        autoFocus
        size="large"
        role="combobox"
        aria-label="查找功能、人员和工单"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={found[current] ? `found-${current}` : undefined}
        placeholder="查找功能、人员和工单，或输入要办的事"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') go(found[current]);
          else return;
          event.preventDefault();
        }}
      />
      <ul className="palette" id="palette" role="listbox" aria-label="结果" aria-busy={left > 0}>
        {found.map((one, index) => (
          <li
            key={one.key}
            id={`found-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => go(one)}
          >
            {one.title} <span className="kit-muted">{one.hint}</span>
          </li>
        ))}
      </ul>
      <p className="kit-muted" role="status">
        {saidOf(text.trim(), found.length, left, failed)}
      </p>
    </Modal>
  );
}

function saidOf(words: string, count: number, left: number, failed: number): string {
  if (left > 0) return count === 0 ? '正在查找…' : '';
  if (failed > 0) return '有些内容没有查到，请稍后再试';
  return count === 0 && words ? `没有找到“${words}”，请更换关键字` : '';
}
