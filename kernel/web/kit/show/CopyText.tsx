import { Button } from 'antd';
import { useEffect, useState } from 'react';
import '../kit.css';

/** Text that is copied by a click; with a named `button` beside it if copying is its purpose. */
export function CopyText({ text, button }: { text: string; button?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  if (button)
    return (
      <span className="kit-row">
        <span className="kit-copied">{text}</span>
        <Button onClick={() => void copy(text).then(setCopied)}>
          <span aria-live="polite">{copied ? '已复制' : button}</span>
        </Button>
      </span>
    );
  return (
    <button
      type="button"
      className="kit-copy"
      title="点击复制"
      aria-label={`复制 ${text}`}
      onClick={() => void copy(text).then(setCopied)}
    >
      {text}
      <span aria-live="polite">{copied ? ' 已复制' : ''}</span>
    </button>
  );
}

/** The clipboard is missing outside a secure context; then the old command is tried. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
