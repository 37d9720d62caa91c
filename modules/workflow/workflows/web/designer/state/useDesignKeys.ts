import { useEffect } from 'react';

/** Ctrl or ⌘ with S, Z and Y, while the page is visible; a text field keeps its own undo. */
export function useDesignKeys(keys: { save: () => void; undo: () => void; redo: () => void }): void {
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, [contenteditable]');
      if (key === 's') keys.save();
      else if (typing) return;
      else if (key === 'y' || (key === 'z' && event.shiftKey)) keys.redo();
      else if (key === 'z') keys.undo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', act);
    return () => window.removeEventListener('keydown', act);
  });
}
