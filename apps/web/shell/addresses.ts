import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router';

/** Query of each path, as the address last had it. */
const searches = new Map<string, string>();

/**
 * The history of this window, which notes each address. The router renders an address in a transition and skips it where the next one comes before that
 * is done; a tab would then lead back to where its page was before somebody typed.
 */
export const officeHistory = createBrowserHistory({ v5Compat: true });
const { listen } = officeHistory;
officeHistory.listen = (told) =>
  listen((update) => {
    searches.set(update.location.pathname, update.location.search);
    told(update);
  });

/** The last address of a page; the given one if the page was not opened in this window. */
export const lastAddressOf = (path: string, fullPath: string): string =>
  searches.has(path) ? path + searches.get(path) : fullPath;
