import { useMemo } from 'react';
import { compareTexts } from './compare.ts';
import './reading.css';

/** The differences between two texts: line by line, or side by side if they have little in common; `said` describes the number of differences. */
export function TextChanges({ before, after, said }: { before: string; after: string; said: string }) {
  const found = useMemo(() => compareTexts(before, after), [before, after]);
  const changed = found?.filter((one) => one.kind !== 'same').length;
  const words = changed === undefined ? '正文较长，请左右对照' : changed === 0 ? '正文相同' : `${changed} 处不同`;
  return (
    <>
      <p role="status" className="kit-muted">
        {said}：{words}
      </p>
      {found ? (
        <div className="kit-lines">
          {found.map(({ kind, text }, index) => (
            <p key={index}>{kind === 'same' ? text : kind === 'gone' ? <del>{text}</del> : <ins>{text}</ins>}</p>
          ))}
        </div>
      ) : (
        <div className="kit-both">
          {[before, after].map((text, index) => (
            <div key={index} className="kit-lines">
              {text.split('\n').map((line, at) => (
                <p key={at}>{line}</p>
              ))}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
