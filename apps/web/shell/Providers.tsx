import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider, theme } from 'antd';

import { useEffect, useMemo } from 'react';
import type { ReactNode } from 'react';
import { announceWith } from '#kernel/web/announce.ts';
import { cookie } from '../cookies.ts';
import { setTextSize, shellSettings } from '../stored.ts';
import { chinese } from './locale.ts';
import { leaveSession } from './session.ts';
import { useOfficeTheme } from './theme.ts';

const moreTabs = {
  icon: (
    <span role="img" aria-label="更多">
      …
    </span>
  ),
};
/** The class that scopes the component library's variables: the whole page has it, for the style sheets of modules. */
const variables = 'office-theme';
const size = cookie('size') || 'medium';

/** Server state, component library, theme, and the dialogs that show failures. */
export function Providers({ children }: { children: ReactNode }) {
  const client = useMemo(
    () =>
      new QueryClient({
        defaultOptions: {
          // Without a network a call fails at once with a message; the default would delay it silently.
          queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
          mutations: { networkMode: 'always' },
        },
      }),
    [],
  );
  const { config, dark } = useOfficeTheme();
  return (
    <QueryClientProvider client={client}>
      <ConfigProvider
        locale={chinese}
        theme={{ ...config, cssVar: { key: variables } }}
        componentSize={size as 'medium'}
        button={{ autoInsertSpace: false }}
        tabs={{ more: moreTabs }}
      >
        <App component={false} message={{ maxCount: 3 }} notification={{ maxCount: 3 }}>
          <Announcing />
          <Variables dark={dark} />
          {children}
        </App>
      </ConfigProvider>
    </QueryClientProvider>
  );
}

/** Shows failures in the component library's dialogs. */
function Announcing() {
  const { message, notification, modal } = App.useApp();
  useEffect(() => {
    announceWith({
      message: (content, duration) => void message.error({ content, duration, key: content }),
      notification: (title) => notification.error({ title, key: title }),
      confirm: (question) =>
        new Promise((resolve) =>
          modal.confirm({ ...question, onOk: () => resolve(true), onCancel: () => resolve(false) }),
        ),
      leave: () => leaveSession(location.pathname + location.search),
    });
    return () => announceWith(null);
  }, [message, notification, modal]);
  return null;
}

/** Makes the theme's colours available to plain style sheets: our own few, and the component library's by its names. */
function Variables({ dark }: { dark: boolean }) {
  const { token } = theme.useToken();
  const { theme: colour, text } = shellSettings.use();
  useEffect(() => setTextSize(text), [text]);
  useEffect(() => {
    const { style, dataset, classList } = document.documentElement;
    dataset['dark'] = dark ? 'dark' : 'light';
    classList.add(variables);
    const values = { theme: colour, primary: token.colorPrimary, 'on-primary': dark ? '#05202e' : '#fff' };
    for (const [name, value] of Object.entries(values)) style.setProperty(`--c-${name}`, value);
  }, [dark, colour, token.colorPrimary]);
  return null;
}
