import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';

const LinkPanel = later(() => import('./web/LinkPanel.tsx'));

/** A record's links and common timeline. Loaded after the page around it. */
export function Links(props: { module: string; id: number }) {
  return (
    <Suspense fallback={null}>
      <LinkPanel {...props} />
    </Suspense>
  );
}
