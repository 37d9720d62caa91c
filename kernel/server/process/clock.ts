/** What the database said of the time, and when it was heard; null before. */
let heard: { there: number; heardAt: number } | null = null;

/** Sets the house's clock by the database's: `there` in milliseconds, at `heardAt` of `performance.now()`. */
export function setClock(there: number, heardAt: number): void {
  heard = { there, heardAt };
}

/**
 * What time it is: by the database's clock, as it was last heard, so that all nodes and the database agree whatever a machine's own clock
 * does. Everything that is stored or judged is by it.
 */
export const houseNow = (): Date => new Date(heard ? heard.there + performance.now() - heard.heardAt : Date.now());
