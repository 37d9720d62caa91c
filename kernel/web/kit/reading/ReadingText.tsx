import { Button, Input } from 'antd';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { headingsOf, nested } from './outline.ts';
import './reading.css';

const anchorOf = (line: number) => `text-line-${line}`;

/** A plain text for reading, with real headings and a search inside it. */
export function ReadingText({ text }: { text: string }) {
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const shown = useRef<HTMLDivElement>(null);
  const headings = useMemo(() => new Map(nested(headingsOf(text)).map((one) => [one.line, one])), [text]);
  const word = sought.trim();
  const hits = word === '' ? 0 : text.split(word).length - 1;
  const step = (by: number) => {
    if (hits === 0) return;
    const next = (at + by + hits) % hits;
    setAt(next);
    shown.current?.querySelectorAll('mark')[next]?.scrollIntoView({ block: 'center' });
  };
  let seen = 0;
  const marked = (line: string): ReactNode => {
    if (word === '' || !line.includes(word)) return line;
    return line.split(word).flatMap((part, index) =>
      index === 0
        ? [part]
        : [
            <mark key={index} data-at={seen++ === at}>
              {word}
            </mark>,
            part,
          ],
    );
  };
  return (
    <section className="kit-panel" aria-label="正文">
      <div className="kit-row" role="search">
        <Input
          type="search"
          className="kit-search"
          aria-label="在正文中查找"
          placeholder="在正文中查找"
          allowClear
          value={sought}
          onChange={(event) => {
            setSought(event.target.value);
            setAt(0);
          }}
          onPressEnter={() => step(1)}
        />
        {word !== '' && <span role="status">{hits === 0 ? `没有“${word}”` : `第 ${at + 1} 处，共 ${hits} 处`}</span>}
        {hits > 1 && (
          <>
            <Button onClick={() => step(-1)}>上一处</Button>
            <Button onClick={() => step(1)}>下一处</Button>
          </>
        )}
      </div>
      <div className="kit-reading" ref={shown}>
        {text.split('\n').map((line, index) => {
          const heading = headings.get(index);
          const Tag = heading ? (`h${heading.level + 1}` as 'h2') : 'p';
          return (
            <Tag key={index} id={heading && anchorOf(index)} tabIndex={heading && -1} aria-level={heading?.depth}>
              {marked(line.trim())}
            </Tag>
          );
        })}
      </div>
    </section>
  );
}

/** The contents of a text with links to its headings; null if it has none. */
export function Contents({ text }: { text: string }) {
  const headings = useMemo(() => headingsOf(text), [text]);
  if (headings.length === 0) return null;
  const lead = (line: number) => {
    const target = document.getElementById(anchorOf(line));
    target?.scrollIntoView({ block: 'start' });
    target?.focus({ preventScroll: true });
  };
  return (
    <nav className="kit-panel kit-contents" aria-label="目录">
      <h2>目录</h2>
      <ul>
        {headings.map(({ line, level, title }) => (
          <li key={line} data-level={level}>
            <button type="button" className="kit-link" onClick={() => lead(line)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
