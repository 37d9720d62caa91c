/** The fonts themselves, for separate programs that write on pages: for mere printing use the typesetter. */
export { openFaces } from '../ink/faces.ts';
