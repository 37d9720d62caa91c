/** What stands above the page and takes the focus with it when it goes. */
const above = '[role="dialog"], [role="menu"], .ant-drawer, .ant-modal-wrap, .ant-popover, .ant-dropdown';
/** What keeps the focus while it stands. */
const standing = '.ant-drawer-open, .ant-modal-wrap, [role="dialog"][aria-modal="true"]';
const isShown = (one: Element) => one.closest('[style*="display: none"]') === null;
/** Elements of the page that had the focus, of which the latest may be gone by then. */
const mostKept = 8;

/**
 * Gives the focus back to where it was on the page when what stood above is taken away with it: a drawer that is not closed but goes with
 * the part that showed it forgets whom it took the focus from. Returns what ends that.
 */
export function keepFocusBack(): () => void {
  let had: HTMLElement[] = [];
  const note = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === document.body || target.closest(above)) return;
    had = [target, ...had.filter((one) => one !== target)].slice(0, mostKept);
  };
  const watch = new MutationObserver((changes) => {
    const gone = changes.some(({ removedNodes }) =>
      [...removedNodes].some(
        (node) => node instanceof HTMLElement && (node.matches(above) || node.querySelector(above)),
      ),
    );
    // Where somebody is already, or something else still stands above, nothing is moved.
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
