import { useContext, useEffect } from 'react';
import { BesideContext } from './rows/beside.ts';

export interface ListKeys {
  move(step: 1 | -1): void;
  open(): void;
  select(): void;
  /** `a` approves and `r` rejects, if the row under the keyboard or its preview offers it. */
  decide(key: 'a' | 'r'): void;
  preview?: (() => void) | undefined;
  search(): void;
  help(): void;
}

/** The keys that every list supports, shown by `?`. */
export const listKeys: readonly [string, string][] = [
  ['j', '下一行'],
  ['k', '上一行'],
  ['Enter', '打开'],
  ['x', '选择'],
  ['p', '预览（可预览的列表）'],
  ['a', '同意（可办理的列表）'],
  ['r', '拒绝（可办理的列表）'],
  ['/', '搜索'],
  ['?', '显示快捷键'],
];

/** Listens while the page is visible; keys typed into a field, a button or a box belong to that element. */
export function useListKeys(keys: ListKeys): void {
  const beside = useContext(BesideContext);
  useEffect(() => {
    if (beside) return undefined;
    const act = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (target?.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="listbox"]'))
        return;
      const does: Record<string, () => void> = {
        j: () => keys.move(1),
        k: () => keys.move(-1),
        x: () => keys.select(),
        a: () => keys.decide('a'),
        r: () => keys.decide('r'),
        ...(keys.preview && { p: keys.preview }),
        '/': () => keys.search(),
        '?': () => keys.help(),
      };
      if (event.key === 'Enter' && !target?.closest('button, a, [tabindex="0"]')) does['Enter'] = () => keys.open();
      const act = does[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', act);
    return () => window.removeEventListener('keydown', act);
  });
}
