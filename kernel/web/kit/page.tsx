import { createContext, useCallback, useContext, useEffect } from 'react';
import { useNavigate } from 'react-router';

/** The messages of a page to the surrounding shell. */
export interface PageFrame {
  /** Names the tab and the window, for example after the open record, with its number to tell it from others. */
  entitle(title: string, sn?: string): void;
  /** While true, closing the tab asks first and the page stays mounted. */
  hold(key: string, held: boolean): void;
  /** Shows another address in the page's tab, which ends the page. Absent if there are no tabs. */
  become?(to: string): void;
}

export const PageContext = createContext<PageFrame>({ entitle: () => {}, hold: () => {} });

/** Names the tab after the page's content, once that is known. */
export function usePageTitle(title: string | undefined, sn?: string): void {
  const { entitle } = useContext(PageContext);
  useEffect(() => {
    if (title) entitle(title, sn);
  }, [entitle, title, sn]);
}

/** Asks once before the window or the tab is left while `dirty`. */
export function useLeaveGuard(key: string, dirty: boolean): void {
  const { hold } = useContext(PageContext);
  useEffect(() => {
    hold(key, dirty);
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hold, key, dirty]);
}

/** Leads away from a page that is finished, such as a form that was sent, so that nobody finds it again and sends it twice. */
export function useBecome(): (to: string) => void {
  const { become } = useContext(PageContext);
  const navigate = useNavigate();
  return useCallback((to) => (become ? become(to) : void navigate(to, { replace: true })), [become, navigate]);
}
