const keys = new Set(['Enter', 'Escape', 'ArrowUp', 'ArrowDown']);

/** Safari tells the Enter that ends a composition after its end, and only by this number that an input method took it. */
const takenByInputMethod = 229;

/**
 * Keys that choose, end or give up what an input method composes reach nothing else on the page: neither palette nor list, dialog nor
 * form takes them as its own. A rich text sees all keys; its editor tells them apart itself.
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
