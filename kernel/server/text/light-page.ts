import { createHash } from 'node:crypto';
import type { FileReply } from '../http/implement.ts';
import { asMarkup } from './markup.ts';

const common = `
:root{color-scheme:light dark;--text:#1f2329;--muted:#5f6570;--line:#dfe2e8;--back:#f5f6f8;--card:#fff;--main:#006fa8;--s1:#1a7f37;--s0:#c5221f;--s2:#b06000;--s3:#5f6570;--none:#d0d4da}
@media (prefers-color-scheme:dark){:root{--text:#e6e8eb;--muted:#a3a9b3;--line:#3a3f47;--back:#14171a;--card:#1e2226;--main:#0b7fbf;--s1:#5cc46f;--s0:#ff8a80;--s2:#f0b35a;--s3:#a3a9b3;--none:#3a3f47}}
*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:44rem;margin:0 auto;padding:24px 16px 48px}header{padding:0 4px 12px;color:var(--muted)}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 20px;margin-bottom:12px}
h1{font-size:20px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:16px;margin:0 0 8px;display:flex;justify-content:space-between;gap:12px}p{margin:0 0 8px}
.s0{color:var(--s0)}.s1{color:var(--s1)}.s2{color:var(--s2)}.s3,.s9,.muted{color:var(--muted)}.muted{font-size:14px}
button{min-height:44px;padding:0 24px;border:0;border-radius:8px;background:var(--main);color:#fff;font:inherit;cursor:pointer}
button:focus-visible{outline:3px solid var(--main);outline-offset:2px}`;

type Page = (site: string, title: string, content: string, more?: Partial<FileReply>) => FileReply;

/** Pages without script, for people who follow a link: `style` is added to their common style. They load nothing and post only to us. */
export function lightPages(style = ''): Page {
  const all = common + style;
  const hash = createHash('sha256').update(all).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return (site, title, content, more = {}) => {
    const bytes = Buffer.from(`<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${asMarkup(title)}</title><style>${all}</style></head>
<body><main><header>${asMarkup(site)}</header>${content}</main></body></html>`);
    return { type: 'text/html; charset=utf-8', bytes, size: bytes.length, policy, ...more };
  };
}
