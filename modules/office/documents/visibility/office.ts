import { holds, type Viewer } from '#kernel/server/access/viewer.ts';

/** The office runs the documents of the house: numbers, categories, levels, voids. */
export const isOffice = (user: Viewer) => holds(user, 'Update', 'document/setting');
