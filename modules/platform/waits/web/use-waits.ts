import { anyLive, useCall } from '#kernel/web/calls.ts';
import { waiting } from '../contract.ts';

/** What waits for me, asked anew whatever changes; `rows` of each kind by name. */
export const useWaits = (rows = 0) => useCall(waiting.mine, { query: { rows } }, { quiet: true, meta: anyLive });
