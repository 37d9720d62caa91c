import { lazy, type ComponentProps, type ComponentType, type ReactNode } from 'react';
import { whyMissing } from './parts/outdated.ts';

/** As each browser says that a part of the program did not arrive. */
const isMissing = (error: unknown) =>
  error instanceof TypeError && /fetch|module script|dynamically imported/i.test(error.message);

const missing = new Set<() => void>();

/** A component whose program is fetched when it is first shown. What did not arrive is fetched anew after `fetchAnew`. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` takes it
export function later<T extends ComponentType<any>>(load: () => Promise<{ default: T }>) {
  const begin = () =>
    lazy(() =>
      load().catch(async (error: unknown) => {
        missing.add(() => (Part = begin()));
        throw isMissing(error) ? await whyMissing() : error;
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
