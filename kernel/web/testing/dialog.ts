import { screen } from '@testing-library/react';

/**
 * Finds the drawer or dialog with a title, once it is open. In tests the component library gives the titles of all dialogs the same id, so a dialog
 * is found by its name only while nothing else on the page has that id.
 */
export async function findDialog(title: string): Promise<HTMLElement> {
  const heading = await screen.findByText(title, { selector: '.ant-drawer-title, .ant-modal-title' });
  return heading.closest<HTMLElement>('[role=dialog]')!;
}
