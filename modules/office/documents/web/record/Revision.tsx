import { Alert } from 'antd';
import type { Revision as Changes } from '../../contract/revision.ts';
import { Trace } from './Trace.tsx';

/** The changes after the signature, for those who sign again. Long unchanged stretches are folded. */
export function Revision({ revision }: { revision: Changes | null }) {
  if (!revision) return null;
  const more = [
    ...(revision.file_changed ? ['正文文件已更换'] : []),
    ...(revision.attachments_changed ? ['附件有增减或更换'] : []),
  ];
  return (
    <section className="kit-panel" aria-label="签发后的改动">
      <h2>签发后的改动</h2>
      <Alert
        type="warning"
        title={`${revision.signer_alias}于 ${revision.signed_at.slice(0, 16)} 签发之后，复核时作了改动，需要重新签发`}
        description={more.length > 0 ? more.join('；') : undefined}
      />
      <p className="document-body">
        {revision.parts.map((part, index) => (
          <Trace key={index} part={part} />
        ))}
      </p>
    </section>
  );
}
