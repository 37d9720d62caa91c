import { Input, Modal } from 'antd';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useCodesAt } from '#kernel/web/kit/permission.tsx';
import { useSpelling } from '#kernel/web/kit/find/useSpelling.ts';
import type { Found } from '#kernel/web/registry.ts';
import { registry } from '../pages.ts';
import { findInMenu, onePerPlace } from './findInMenu.ts';
import { useSession } from './SessionContext.ts';
import './palette.css';

/** Goes anywhere by typing: pages of the menu at once, people and tickets as the modules find them. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const { menu } = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const codesAt = useCodesAt();
  const [more, setMore] = useState<Found[]>([]);
  useEffect(() => {
    const wanted = text.trim();
    if (!wanted) return setMore([]);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      void Promise.allSettled(
        registry.finders.map(async (load) => (await load()).default(wanted, controller.signal, codesAt)),
      ).then((answers) => {
        if (controller.signal.aborted) return;
        setMore(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])));
      });
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, codesAt]);
  const spelt = useSpelling(text);
  const found = onePerPlace([...findInMenu(menu, text, spelt), ...more]).slice(0, 30);
  const current = Math.min(at, found.length - 1);
  const go = (one: Found | undefined) => {
    if (!one) return;
    onClose();
    void navigate(one.to);
  };
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
        placeholder="查找功能、人员和工单"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setAt(Math.min(found.length - 1, current + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(0, current - 1));
          else if (event.key === 'Enter') go(found[current]);
          else return;
          event.preventDefault();
        }}
      />
      <ul className="palette" id="palette" role="listbox" aria-label="结果">
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
      {found.length === 0 && <p className="kit-muted">没有找到“{text}”，请更换关键字</p>}
    </Modal>
  );
}
