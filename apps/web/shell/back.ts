import { narrowBelow } from '#kernel/web/kit/narrow.ts';

/** What lies over the page, the topmost last, and what of it closes it. */
const over = '.bars-drawer, .ant-drawer-open, .ant-modal-wrap';
const closer = '.ant-drawer-close, .ant-modal-close, .ant-modal-confirm-btns .ant-btn:first-child';

/** Closes what lies topmost over the page, as its own button would; false where nothing does. */
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
 * On a phone, going back closes what is open instead of leaving the page below it. Begun before the router, so that this hears of it
 * first: the way back is taken back, and the router hears nothing.
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
