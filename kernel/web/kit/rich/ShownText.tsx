import DOMPurify from 'dompurify';
import { useMemo } from 'react';
import './rich.css';

const allowed = {
  ALLOWED_TAGS: ['p', 'h2', 'h3', 'h4', 'h5', 'ul', 'ol', 'li', 'strong', 'em', 'u', 's', 'br'].concat([
    'table',
    'tbody',
    'thead',
    'tr',
    'th',
    'td',
  ]),
  ALLOWED_ATTR: ['style', 'colspan', 'rowspan', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Shows formatted text, which is cleaned once more in the browser. */
export default function ShownText({ html }: { html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html, allowed), [html]);
  return <div className="rich-text" dangerouslySetInnerHTML={{ __html: clean }} />;
}
