import { DistributeButton, GivenOut } from '#modules/distributions/widgets.tsx';
import { DocumentPage } from '#modules/documents/widgets.tsx';

/** One document, with what it was given out to whom. */
export default function DocumentDetail() {
  return (
    <DocumentPage
      actions={(doc) => doc.actions.includes('distribute') && <DistributeButton doc={doc} />}
      panels={(doc) => (doc.submitted_at || !doc.inside) && <GivenOut document={doc.id} />}
    />
  );
}
