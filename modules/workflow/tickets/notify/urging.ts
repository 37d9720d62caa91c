import { aboutTickets } from './kinds.ts';

/** Nobody is urged about a ticket more often, whoever asks. */
export const urging = { hours: 4 };

/** The messages that urge people about a ticket as such: all that is kept of whom and when. A record's own page may urge by a rule of its own. */
export const urgesOf = (objectId: number) => ({ module: aboutTickets, objectId, event: 'URGE', occasion: 'ticket' });
