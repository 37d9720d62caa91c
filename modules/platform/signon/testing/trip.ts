import type { Browser } from './browser.ts';

/** Asks for the way to the provider. */
export const begin = async (browser: Browser, redirect = '') => {
  const { data } = await browser.ask(`/api/oauth/login_url/?redirect=${encodeURIComponent(redirect)}`);
  return data as { url: string; state: string };
};
/** Hands in what the provider sent back. */
export const finish = (browser: Browser, query: URLSearchParams | Record<string, string>) =>
  browser.ask(`/api/oauth/login/?${new URLSearchParams(query as Record<string, string>).toString()}`);
/** Goes the whole way, up to what the provider sends back. */
export const back = async (browser: Browser, redirect = '') => browser.travel((await begin(browser, redirect)).url);
