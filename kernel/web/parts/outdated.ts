import { CallFailed } from '../failure.ts';

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
export async function whyMissing(): Promise<CallFailed> {
  const own = ownProgram();
  if (!own || !(await isOutdated(own))) return CallFailed.network();
  if (sessionStorage.getItem(reloadedFor) !== own) {
    sessionStorage.setItem(reloadedFor, own);
    window.location.reload();
  }
  return CallFailed.outdated();
}
