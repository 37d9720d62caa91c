import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { App, ConfigProvider } from 'antd';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { PermissionContext } from '../kit/permission.tsx';
import { PreferencesContext, fleetingPreferences } from '../kit/preferences.tsx';

export interface Showing {
  codes?: PermissionCode[];
  /** Paths of other pages that the person may read. */
  reads?: string[];
  at?: string;
  preferences?: Record<string, unknown>;
  saved?: (key: string, value: unknown) => void;
}

/** Adds what the component library needs and jsdom lacks. */
export function fillGaps(width = 1440): void {
  window.innerWidth = width;
  window.matchMedia ??= (query: string) =>
    ({
      matches: false,
      media: query,
      addEventListener() {},
      removeEventListener() {},
      addListener() {},
      removeListener() {},
    }) as unknown as MediaQueryList;
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  Element.prototype.scrollIntoView ??= () => {};
  // The editor asks for the position of its cursor at any time, also after a test is over.
  Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect ??= () => document.body.getBoundingClientRect();
  // jsdom refuses pseudo-elements, which the table queries to measure scroll bars.
  window.getComputedStyle = (element) => computed(element);
}
const computed = window.getComputedStyle.bind(window);

/** Renders a page with everything that the shell provides; `address()` returns the router's address. */
export function show(ui: ReactNode, { codes = [], reads = [], at = '/stamp/list', preferences, saved }: Showing = {}) {
  let address = at;
  const Address = () => {
    const { pathname, search } = useLocation();
    address = pathname + search;
    return null;
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const view = render(
    <QueryClientProvider client={client}>
      <ConfigProvider theme={{ token: { motion: false } }} button={{ autoInsertSpace: false }}>
        <App>
          <PreferencesContext value={fleetingPreferences(preferences, saved)}>
            <PermissionContext
              value={(path) => (path === at.split('?')[0] ? codes : reads.includes(path) ? ['Retrieve'] : [])}
            >
              <MemoryRouter initialEntries={[at]}>
                {ui}
                <Address />
              </MemoryRouter>
            </PermissionContext>
          </PreferencesContext>
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
  return { ...view, address: () => address };
}
