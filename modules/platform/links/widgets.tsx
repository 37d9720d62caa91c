import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import { ComingPart } from '#kernel/web/live/together.ts';

const LinkPanel = later(() => import('./web/LinkPanel.tsx'));

/** A record's links and common timeline. */
export function Links(props: { module: string; id: number }) {
  return (
    <Suspense fallback={<ComingPart />}>
      <LinkPanel {...props} />
    </Suspense>
  );
}
