/** Elements above the page that take the focus with them when they are removed. */
const above = '[role="dialog"], [role="menu"], .ant-drawer, .ant-modal-wrap, .ant-popover, .ant-dropdown';
/** Elements that keep the focus while they are shown. */
const standing = '.ant-drawer-open, .ant-modal-wrap, [role="dialog"][aria-modal="true"]';
const isShown = (one: Element) => one.closest('[style*="display: none"]') === null;
/** The number of recently focused elements to remember, because the latest may be gone by then. */
const mostKept = 8;

/**
 * Gives the focus back to its previous place on the page when an element above it is removed: a drawer that is not closed but removed together with
 * its parent forgets where the focus was. Returns a function that ends this.
 */
export function keepFocusBack(): () => void {
  let had: HTMLElement[] = [];
  // The children of the body that took the focus from the page. They are told by themselves, because they may be empty by the time they are removed.
  let layers: Element[] = [];
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    if (target.closest(above)) return void layers.push(target.closest('body > *')!);
    layers = [];
    had = [target, ...had.filter((one) => one !== target)].slice(0, mostKept);
  };
  const watch = new MutationObserver((changes) => {
    const gone = changes.some(({ removedNodes }) =>
      [...removedNodes].some((node) => node instanceof Element && layers.includes(node)),
    );
    // If the focus is somewhere already, or another element is still above, it is not moved.
    if (!gone || document.activeElement !== document.body || [...document.querySelectorAll(standing)].some(isShown))
      return;
    had = had.filter((one) => one.isConnected);
    had[0]?.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', note);
  watch.observe(document.body, { childList: true });
  return () => {
    document.removeEventListener('focusin', note);
    watch.disconnect();
  };
}
