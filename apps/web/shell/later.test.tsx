import { cleanup, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { PageBoundary } from './PageBoundary.tsx';
import { later } from '#kernel/web/later.tsx';
import { show } from '#kernel/web/testing/show.tsx';

const reload = vi.fn();
afterEach(() => {
  cleanup();
  document.querySelector('script[type="module"]')?.remove();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  reload.mockReset();
});

/** A page of one build whose server has another one. */
function shown(own: string, served: string) {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('location', { ...window.location, reload });
  vi.stubGlobal('fetch', async () => new Response(`<script type="module" src="${served}"></script>`));
  document.head.append(Object.assign(document.createElement('script'), { type: 'module' }));
  document.querySelector('script[type="module"]')!.setAttribute('src', own);
  const Gone = later<() => null>(() =>
    Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/Gone-1.js')),
  );
  return () =>
    show(
      <PageBoundary>
        <Suspense fallback={null}>
          <Gone />
        </Suspense>
      </PageBoundary>,
    );
}

test('a page whose program part is gone with an old version says that there is a new one, and reloads once', async () => {
  const again = shown('/assets/index-old.js', '/assets/index-new.js');
  again();
  expect((await screen.findByRole('alert')).textContent).toContain('系统已更新到新版本');
  expect(reload).toHaveBeenCalledTimes(1);
  const twice = shown('/assets/index-old.js', '/assets/index-new.js');
  twice();
  await vi.waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a part that fails to load from the present version is a network error, and nothing reloads', async () => {
  shown('/assets/index-now.js', '/assets/index-now.js')();
  expect((await screen.findByRole('alert')).textContent).toContain('连接异常');
  expect(reload).not.toHaveBeenCalled();
});
