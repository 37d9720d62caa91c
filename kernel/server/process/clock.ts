/** The database's time and when it was received; null before. */
let heard: { there: number; heardAt: number } | null = null;

/** Sets the product's clock by the database's: `there` in milliseconds, at `heardAt` of `performance.now()`. */
export function setClock(there: number, heardAt: number): void {
  heard = { there, heardAt };
}

/**
 * The current time by the database's clock as last received, so that all nodes and the database agree whatever a machine's own clock shows.
 * Everything that is stored or decided uses it.
 */
export const houseNow = (): Date => new Date(heard ? heard.there + performance.now() - heard.heardAt : Date.now());
