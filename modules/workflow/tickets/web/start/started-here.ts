/** Tickets that were started in this window, with what starts another one like them. */
export const startedHere = new Map<number, number>();
