import { screen } from '@testing-library/react';

/**
 * The drawer or dialog of a title, once it is open. In tests the component library gives all its parts one and the same id, by which a
 * dialog is named: asked for by its name, it is found only while nothing else of the page has that id.
 */
export async function findDialog(title: string): Promise<HTMLElement> {
  const heading = await screen.findByText(title, { selector: '.ant-drawer-title, .ant-modal-title' });
  return heading.closest<HTMLElement>('[role=dialog]')!;
}
