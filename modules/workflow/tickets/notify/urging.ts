import { aboutTickets } from './kinds.ts';

/** Hours before anybody may be urged about the same ticket again, by whomever. */
export const urging = { hours: 4 };

/** The messages that urge people about a ticket itself, the only record of whom and when. A record's own page may have its own rule. */
export const urgesOf = (objectId: number) => ({ module: aboutTickets, objectId, event: 'URGE', occasion: 'ticket' });
