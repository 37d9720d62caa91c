import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';

/** See `TextEditor`; loaded when a text is edited. */
export const TextEditor = later(() => patiently(() => import('./TextEditor.tsx')));
/** Shows formatted text. */
export const ShownText = later(() => patiently(() => import('#kernel/web/kit/rich/ShownText.tsx')));
export const RichText = later(() => patiently(() => import('#kernel/web/kit/rich/RichText.tsx')));
