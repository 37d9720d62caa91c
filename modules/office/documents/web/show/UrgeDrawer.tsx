import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { documents } from '../../contract.ts';

/** Reminds the present handlers of a document. */
export function UrgeDrawer({
  id,
  ...then
}: {
  id: number;
  onClose: () => void;
  onDone: (done: { sent: number }) => void;
}) {
  return (
    <FormDrawer
      {...then}
      open
      params={{ id }}
      title="催办"
      name={`document:${id}:urge`}
      call={documents.urge}
      submit="催办"
      fields={[{ name: 'content', kind: 'textarea' }]}
    />
  );
}
