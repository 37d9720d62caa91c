import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';

const LinkPanel = later(() => import('./web/LinkPanel.tsx'));

/** What a record hangs together with, and what happened to all of it. Loaded after the page it stands on. */
export function Links(props: { module: string; id: number }) {
  return (
    <Suspense fallback={null}>
      <LinkPanel {...props} />
    </Suspense>
  );
}
