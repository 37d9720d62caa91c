import { lazy, type ComponentProps, type ComponentType, type ReactNode } from 'react';
import { CallFailed } from './failure.ts';

const missing = new Set<() => void>();

/** A component whose program is fetched when it is first shown. What did not arrive is fetched anew after `fetchAnew`. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` takes it
export function later<T extends ComponentType<any>>(load: () => Promise<{ default: T }>) {
  const begin = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        missing.add(() => (Part = begin()));
        throw error instanceof TypeError && /fetch/i.test(error.message) ? CallFailed.network() : error;
      }),
    );
  let Part = begin();
  return function Later(props: ComponentProps<T>): ReactNode {
    return <Part {...props} />;
  };
}

/** Before what failed is shown again. */
export function fetchAnew(): void {
  for (const renew of missing) renew();
  missing.clear();
}
