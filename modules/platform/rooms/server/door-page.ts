import { createHash } from 'node:crypto';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';

const seconds = 20;

const style = `
:root{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr auto;background:#14171a;color:#e6e8eb;font:clamp(16px,2.2vw,28px)/1.5 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
header,footer{display:flex;justify-content:space-between;gap:1em;padding:.8em 1.2em;color:#a3a9b3;flex-wrap:wrap}
main{padding:0 1.2em;border-left:.5em solid var(--state);display:flex;gap:1.5em;align-items:center;flex-wrap:wrap}
.free{--state:#3fb950}.busy{--state:#f85149}.wait{--state:#d29922}
h1{font-size:1.3em;margin:0;color:#e6e8eb}
.now{flex:1 1 16em;min-width:0}
.now b{display:block;font-size:2.6em;line-height:1.2;color:var(--state)}
.now strong{display:block;font-size:1.7em;overflow-wrap:anywhere}
p{margin:.2em 0}
ol{list-style:none;margin:0;padding:0}
li{display:flex;gap:1em}li span:first-child{font-variant-numeric:tabular-nums;white-space:nowrap}
img{width:8em;height:8em;border-radius:.4em;background:#fff}
figure{margin:0;text-align:center}figcaption{font-size:.75em;color:#a3a9b3}
`;

/**
 * Reloads the page and replaces its content. Without a connection, or if the answer is no door page (a proxy, a network's login), the content stays,
 * with a note. A newer version is loaded in full.
 */
const script = `
(() => {
  let arrived = Date.now();
  const code = (page) => [...page.querySelectorAll('style, script')].map((one) => one.textContent).join('');
  const offline = () => {
    const time = document.querySelector('time');
    if (!time) return;
    const day = Date.now() - arrived < 43200000 ? '' : time.dateTime.slice(5, 10) + ' ';
    time.textContent = '离线，更新于 ' + day + time.dateTime.slice(11, 16);
  };
  const ask = async () => {
    // Screens at doors are often old: what they do not know, as a signal with a time of its own, would look like a cut line.
    const patience = new AbortController();
    const ends = setTimeout(() => patience.abort(), 15000);
    try {
      const answer = await fetch(location.href, { cache: 'no-store', signal: patience.signal });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (answer.status === 429 || !('door' in page.documentElement.dataset)) return offline();
      if (code(page) !== code(document)) return location.reload();
      document.title = page.title;
      document.body.replaceWith(document.adoptNode(page.body));
      arrived = Date.now();
    } catch {
      offline();
    } finally {
      clearTimeout(ends);
    }
  };
  setInterval(ask, ${seconds * 1000});
  addEventListener('offline', offline);
  addEventListener('online', ask);
})();
`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of a door screen; without scripts it reloads by itself. */
export function doorPage(title: string, body: string, status = 200): FileReply {
  const html = `<!doctype html>
<html lang="zh-CN" data-door><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<noscript><meta http-equiv="refresh" content="${seconds}"></noscript><meta name="robots" content="noindex"><title>${asMarkup(title)}</title><style>${style}</style><script>${script}</script></head>${body}</html>`;
  const bytes = Buffer.from(html);
  return { type: 'text/html; charset=utf-8', bytes, size: bytes.length, policy, status };
}

/** A page with a reason why nothing else is shown. */
export const doorWords = (text: string, status: number) =>
  doorPage(
    '门牌屏',
    `<body class="wait"><header></header><main><div class="now"><strong>${text}</strong></div></main></body>`,
    status,
  );
