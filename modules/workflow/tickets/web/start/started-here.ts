/** Tickets that were started in this window → their workflow. */
export const startedHere = new Map<number, number>();
