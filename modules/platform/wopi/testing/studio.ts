import type { Client } from '#apps/server/testing.ts';
import { documentFiles } from '#modules/office/documents/contract/files/files.ts';
import { openSchool } from '#modules/office/documents/testing/school.ts';
import { openDiscovery, setEditor } from './discovery.ts';
import { openEditor, send } from './editor.ts';

/** The school with an editor's server configured. */
export async function openStudio() {
  const school = await openSchool({ outgoingAllow: ['127.0.0.1'] });
  const discovery = await openDiscovery();
  await setEditor(school.office, discovery.url);
  /** An editor in which somebody has a file open. */
  const editorOf = async (who: Client, placeId: number) => {
    const { access_token } = await who.get(documentFiles.open, { params: { id: placeId } });
    return openEditor(school.office.url, placeId, access_token);
  };
  return {
    school,
    discovery,
    editorOf,
    /** A draft with a file, and its author's editor. */
    async begun(content = '第一版', who = school.author) {
      const { id } = await school.write({ submit: false, attachments: [await send(who, content)] }, who);
      const { value } = await who.get(documentFiles.attachments, { query: { document_id: id } });
      const place = value[0]!;
      return { id, place, editor: await editorOf(who, place.id) };
    },
    async close() {
      await school.office.close();
      await discovery.close();
    },
  };
}
