import { lazy, type ComponentProps, type ComponentType, type ReactNode } from 'react';
import { CallFailed } from './failure.ts';

/** The program of this page, by the name that its build gave it; a later build has another. */
const ownProgram = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
const reloadedFor = 'reloaded-for';

/** Whether the server has a later version of the pages than this one; false where it cannot be asked. */
async function isOutdated(own: string): Promise<boolean> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
  return answer?.ok === true && !(await answer.text()).includes(own);
}

/**
 * Why a part of the program did not arrive. Where there is a later version, whose parts have other names, the page begins anew with it, once:
 * what was typed is kept as a draft when the page goes.
 */
async function whyMissing(): Promise<CallFailed> {
  const own = ownProgram();
  if (!own || !(await isOutdated(own))) return CallFailed.network();
  if (sessionStorage.getItem(reloadedFor) !== own) {
    sessionStorage.setItem(reloadedFor, own);
    window.location.reload();
  }
  return CallFailed.outdated();
}

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
