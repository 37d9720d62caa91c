import { anyLive, useCall } from '#kernel/web/calls.ts';
import { allKinds, waiting } from '../contract.ts';

/** My waiting things by kind, reloaded on every change: the one source of all their counts. */
export const useWaits = () => useCall(waiting.mine, {}, { quiet: true, meta: anyLive });

/** My most urgent waiting things, of one kind or all, reloaded likewise; not queried if disabled. */
export const useUrgent = (per_page: number, category = allKinds, enabled = true) =>
  useCall(waiting.list, { query: { per_page, category } }, { quiet: true, meta: anyLive, enabled });
