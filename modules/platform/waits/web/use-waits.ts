import { anyLive, useCall } from '#kernel/web/calls.ts';
import { allKinds, waiting } from '../contract.ts';

/** How much waits for me, by kinds, asked anew whatever changes: the one place that all numbers of it are read from. */
export const useWaits = () => useCall(waiting.mine, {}, { quiet: true, meta: anyLive });

/** The most urgent of what waits for me, of one kind or all, likewise; where it is not wanted nothing is asked. */
export const useUrgent = (per_page: number, category = allKinds, enabled = true) =>
  useCall(waiting.list, { query: { per_page, category } }, { quiet: true, meta: anyLive, enabled });
