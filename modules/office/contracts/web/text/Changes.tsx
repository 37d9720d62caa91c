import type { TextPart } from '#modules/office/documents/contract/revision.ts';
import { Trace } from '#modules/office/documents/widgets.tsx';
import './text.css';

/** The changes of a text in one piece. */
export function Changes({ parts }: { parts: readonly TextPart[] }) {
  return (
    <p className="contract-changes">
      {parts.map((part, index) => (
        <Trace key={index} part={part} />
      ))}
    </p>
  );
}
