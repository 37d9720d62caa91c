/** The fonts themselves, for programs of their own that write on pages: whoever only prints asks the typesetter. */
export { openFaces } from '../ink/faces.ts';
