import { Suspense, useContext } from 'react';
import { ComingPart } from '../../live/together.ts';
import { MatterButtonsContext, type Matter } from '../../registry.ts';

/** The buttons of other modules for a record's matter; the page names the matter and none of the modules. */
export function MatterButtons(matter: Matter) {
  return useContext(MatterButtonsContext).map((Button, at) => (
    // The list of buttons never changes while the product runs.
    <Suspense key={at} fallback={<ComingPart />}>
      <Button {...matter} />
    </Suspense>
  ));
}
