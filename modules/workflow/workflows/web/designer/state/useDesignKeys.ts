import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Obstacle } from '#kernel/web/kit/form/parts/waiting.ts';

interface Keys {
  save: () => void;
  undo: () => void;
  redo: () => void;
  /** Called instead of saving, with the sentence that says why it cannot be saved now. */
  refuse: (says: string) => void;
}

/** Ctrl or ⌘ with S, Z and Y, while the page is visible; a text field keeps its own undo. Saving reads first what is being typed. */
export function useDesignKeys(keys: Keys, obstacles: RefObject<readonly Obstacle[]>): void {
  const latest = useRef(keys);
  useLayoutEffect(() => void (latest.current = keys), [keys]);
  useEffect(() => {
    const save = () => {
      const { activeElement: typing } = document;
      // A field is read when it is left, and the design that is saved is the one from after that.
      if (typing instanceof HTMLElement && isText(typing)) {
        flushSync(() => typing.blur());
        typing.focus();
      }
      const [first] = obstacles.current;
      if (first) latest.current.refuse(first.says);
      else latest.current.save();
    };
    const act = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === 's') save();
      else if (event.target instanceof HTMLElement && isText(event.target)) return;
      else if (key === 'y' || (key === 'z' && event.shiftKey)) latest.current.redo();
      else if (key === 'z') latest.current.undo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', act);
    return () => window.removeEventListener('keydown', act);
  }, [obstacles]);
}

const isText = (element: HTMLElement) => element.matches('input, textarea, [contenteditable]');
