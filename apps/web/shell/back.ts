import { narrowBelow } from '#kernel/web/kit/narrow.ts';

/** Elements over the page, the topmost last, and the buttons that close them. */
const over = '.bars-drawer, .ant-drawer-open, .ant-modal-wrap';
const closer = '.ant-drawer-close, .ant-modal-close, .ant-modal-confirm-btns .ant-btn:first-child';

/** Closes the topmost element over the page, like its own button; false if there is none. */
export function closeTop(): boolean {
  const open = [...document.querySelectorAll<HTMLElement>(over)].filter((one) => one.checkVisibility());
  const top = open.at(-1);
  if (!top) return false;
  const button = top.matches('.bars-drawer')
    ? document.querySelector<HTMLElement>('.veil')
    : top.querySelector<HTMLElement>(closer);
  button?.click();
  return button !== null;
}

/**
 * On a phone, going back closes the open element instead of leaving the page below it. Registered before the router, so that it handles the event
 * first: it undoes the navigation, and the router notices nothing.
 */
export function backCloses(): void {
  let returning = false;
  window.addEventListener('popstate', (event) => {
    if (!returning && (window.innerWidth >= narrowBelow || !closeTop())) return;
    event.stopImmediatePropagation();
    if (!returning) history.go(1);
    returning = !returning;
  });
}
