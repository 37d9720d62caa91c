import { lazy, type ComponentProps, type ComponentType, type ReactNode } from 'react';
import { CallFailed } from './failure.ts';

/** The program of this page, by its hashed file name; a later build has another. */
const ownProgram = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src');
const reloadedFor = 'reloaded-for';

/** True if the server has a later version of the pages than this one; false if it cannot be asked. */
async function isOutdated(own: string): Promise<boolean> {
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => null);
  return answer?.ok === true && !(await answer.text()).includes(own);
}

/**
 * Finds out why a part of the program could not be loaded. If there is a later version, whose parts have other names, the page is reloaded once: what
 * was typed is kept as a draft when the page unloads.
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

/** The messages of the browsers for a part of the program that could not be loaded. */
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

/** Called before a failed part is shown again. */
export function fetchAnew(): void {
  for (const renew of missing) renew();
  missing.clear();
}
