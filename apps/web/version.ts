/** The version as people are told it; which build that is says the server (`/readyz`). */
export const shownVersion = '4.0 Beta';
