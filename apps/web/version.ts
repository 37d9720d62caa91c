/** The version that people see; the server reports the exact build (`/readyz`). */
export const shownVersion = '4.0 Beta';
