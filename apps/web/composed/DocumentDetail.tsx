import { DistributeButton, GivenOut } from '#modules/office/distributions/widgets.tsx';
import { DocumentPage } from '#modules/office/documents/widgets.tsx';

/** One document, with its distributions. */
export default function DocumentDetail() {
  return (
    <DocumentPage
      actions={(doc) => doc.actions.includes('distribute') && <DistributeButton doc={doc} />}
      panels={(doc) => (doc.submitted_at || !doc.inside) && <GivenOut document={doc.id} />}
    />
  );
}
