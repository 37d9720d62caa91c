import { holds, type Viewer } from '#kernel/server/access/viewer.ts';

/** True for the office, which manages numbers, categories, levels and voiding of all documents. */
export const isOffice = (user: Viewer) => holds(user, 'Update', 'document/setting');
