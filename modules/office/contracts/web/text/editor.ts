import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

/** See `TextEditor`; it comes when a text is written. */
export const TextEditor = later(() => patiently(() => import('./TextEditor.tsx')));
/** Formatted text to be read. */
export const ShownText = later(() => patiently(() => import('#kernel/web/kit/rich/ShownText.tsx')));
export const RichText = later(() => patiently(() => import('#kernel/web/kit/rich/RichText.tsx')));
