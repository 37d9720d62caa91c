import type { Browser } from './browser.ts';

/** Requests the address of the provider. */
export const begin = async (browser: Browser, redirect = '') => {
  const { data } = await browser.ask(`/api/oauth/login_url/?redirect=${encodeURIComponent(redirect)}`);
  return data as { url: string; state: string };
};
/** Submits the provider's parameters. */
export const finish = (browser: Browser, query: URLSearchParams | Record<string, string>) =>
  browser.ask(`/api/oauth/login/?${new URLSearchParams(query as Record<string, string>).toString()}`);
/** Makes the whole trip, up to the provider's parameters. */
export const back = async (browser: Browser, redirect = '') => browser.travel((await begin(browser, redirect)).url);
