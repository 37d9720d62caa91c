import { Suspense, useContext } from 'react';
import { MatterButtonsContext, type Matter } from '../../registry.ts';

/** What other modules make of a matter of a record; a page names the matter and none of them. */
export function MatterButtons(matter: Matter) {
  return useContext(MatterButtonsContext).map((Button, at) => (
    // Those of the product are the same from beginning to end.
    <Suspense key={at} fallback={null}>
      <Button {...matter} />
    </Suspense>
  ));
}
