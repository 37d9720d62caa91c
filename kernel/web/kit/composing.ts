const keys = new Set(['Enter', 'Escape', 'ArrowUp', 'ArrowDown']);

/** Safari reports the Enter that ends a composition after its end, and only by this key code that an input method took it. */
const takenByInputMethod = 229;

/**
 * Keeps the keys that an input method uses to choose, end or cancel a composition from the rest of the page: palette, lists, dialogs and forms do not
 * receive them. A rich text receives all keys, because its editor distinguishes them itself.
 */
export function keepCompositionKeys(page: Window): () => void {
  const keep = (event: KeyboardEvent) => {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else tells it in Safari
    const composing = event.isComposing || event.keyCode === takenByInputMethod;
    const rich = event.target instanceof HTMLElement && event.target.isContentEditable;
    if (composing && keys.has(event.key) && !rich) event.stopPropagation();
  };
  page.addEventListener('keydown', keep, { capture: true });
  return () => page.removeEventListener('keydown', keep, { capture: true });
}
