import type { TextPart } from '../../contract/revision.ts';
import '../documents.css';

const shortest = 60;

/** A part of a changed text: deletions struck through, insertions marked. Long unchanged stretches are folded. */
export function Trace({ part: { kind, text }, by }: { part: TextPart; by?: string }) {
  if (kind === 'gone')
    return (
      <del className="document-gone" title={by ? `${by} 删去` : undefined}>
        {text}
      </del>
    );
  if (kind === 'new')
    return (
      <ins className="document-new" title={by ? `${by} 加入` : undefined}>
        {text}
      </ins>
    );
  if (text.length <= shortest * 2) return <>{text}</>;
  return (
    <>
      {text.slice(0, shortest)}
      <details className="document-same">
        <summary>未改动的 {text.length - shortest * 2} 字</summary>
        {text.slice(shortest, -shortest)}
      </details>
      {text.slice(-shortest)}
    </>
  );
}
