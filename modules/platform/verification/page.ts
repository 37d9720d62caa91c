import { createHash } from 'node:crypto';
import type { FileReply } from '#kernel/server/http/implement.ts';
import { asMarkup } from '#kernel/server/text/markup.ts';
import type { Verified } from './service.ts';

const style = `
:root{color-scheme:light dark;--text:#1f2329;--muted:#5f6570;--line:#dfe2e8;--back:#f5f6f8;--card:#fff;--main:#006fa8;--good:#1a7f37;--bad:#c5221f}
@media (prefers-color-scheme:dark){:root{--text:#e6e8eb;--muted:#a3a9b3;--line:#3a3f47;--back:#14171a;--card:#1e2226;--main:#0b7fbf;--good:#5cc46f;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:34rem;margin:0 auto;padding:24px 16px 48px}
header{padding:0 4px 12px;color:var(--muted)}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:20px;margin-bottom:16px}
h1{font-size:20px;line-height:1.5;margin:0 0 4px;overflow-wrap:anywhere}
h2{font-size:17px;margin:0 0 8px}
p{margin:0 0 8px}
dl{margin:12px 0 0;display:grid;grid-template-columns:max-content 1fr;gap:6px 16px}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere}
.good{color:var(--good);font-weight:600}
.bad{color:var(--bad);font-weight:600}
.muted{color:var(--muted);font-size:14px}
input[type=file]{display:block;width:100%;min-height:44px;margin:8px 0 12px;padding:8px;border:1px dashed var(--line);border-radius:8px;font:inherit;color:inherit}
button{min-height:44px;padding:0 24px;border:0;border-radius:8px;background:var(--main);color:#fff;font:inherit;cursor:pointer}
button:focus-visible,input:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`;
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The comparison of an uploaded file with those of the record. */
export type Comparison =
  | { kind: 'same'; what: string; sha256: string }
  | { kind: 'other'; sha256: string }
  | { kind: 'too big'; most: number };

function page(site: string, title: string, content: string, status = 200): FileReply {
  const html = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${asMarkup(title)}</title><style>${style}</style></head>
<body><main><header>${asMarkup(site)} · 真伪核验</header>${content}</main></body></html>`;
  const bytes = Buffer.from(html);
  return { type: 'text/html; charset=utf-8', bytes, size: bytes.length, policy, status };
}

/** The same page for codes that are unknown, mistyped, or of a confidential record. */
export const unknownPage = (site: string): FileReply =>
  page(
    site,
    '没有查到',
    `<section><h1 class="bad">没有查到这个核验码</h1><p>请核对纸面上的核验码，或重新扫描二维码。仍然查不到的，请向发文单位核实。</p></section>`,
    404,
  );

/** For an address with too many requests. */
export const waitPage = (site: string, seconds: number): FileReply =>
  page(
    site,
    '请稍后再试',
    `<section><h1>核验过于频繁</h1><p>请 ${Math.max(1, Math.ceil(seconds))} 秒后再试。</p></section>`,
    429,
  );

/** The public facts of a genuine record, and a form to compare a file with it. */
export function recordPage(site: string, code: string, record: Verified, comparison: Comparison | null): FileReply {
  const facts: readonly (readonly [string, string])[] = [
    ...record.facts,
    ['核验码', code.replace(/(.{4})(?=.)/g, '$1-')],
  ];
  const rows = facts
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<dt>${asMarkup(label)}</dt><dd>${asMarkup(value)}</dd>`)
    .join('');
  const { noun = '公文' } = record;
  const head = record.title === null ? `本系统登记的${noun}` : record.title;
  const found = record.caution
    ? `<p class="bad">请注意：由本系统登记，${asMarkup(record.caution)}</p>`
    : record.valid
      ? '<p class="good">核验通过：由本系统登记，现行有效</p>'
      : '<p class="bad">请注意：由本系统登记，但现在不是有效状态，见下方“状态”</p>';
  const hidden = record.title === null ? `<p class="muted">未公开的${noun}不显示标题。</p>` : '';
  const form =
    record.files.length === 0
      ? ''
      : `<section><h2>核对文件</h2>${comparison ? answer(comparison) : ''}
<form method="post" action="/api/verify/${code}/" enctype="multipart/form-data">
<label for="file">选择收到的电子文件，与原件、正文和附件逐一比对。文件不会保存。</label>
<input id="file" name="file" type="file" required><button type="submit">核对文件</button></form></section>`;
  return page(site, head, `<section><h1>${asMarkup(head)}</h1>${found}${hidden}<dl>${rows}</dl></section>${form}`);
}

function answer(comparison: Comparison): string {
  if (comparison.kind === 'too big')
    return `<p role="status" class="bad">文件超过 ${comparison.most / 2 ** 20} MB，不能在这里核对</p>`;
  const hash = `<p class="muted">SHA-256：<code>${comparison.sha256.replace(/(.{16})/g, '$1<wbr>')}</code></p>`;
  return comparison.kind === 'same'
    ? `<p role="status" class="good">与原件一致（${asMarkup(comparison.what)}）</p>${hash}`
    : `<p role="status" class="bad">与原件不一致：这个文件不是原件，或已被改动</p><p class="muted">下载时加上了阅读人水印的文件，也会显示不一致。</p>${hash}`;
}
