import type { Obstacle } from './waiting.ts';

/** Says beside the buttons of a form why it cannot be sent yet; what ends by itself comes first. */
export function HeldSays({ held }: { held: readonly Obstacle[] }) {
  const first = held.find(({ passes }) => passes) ?? held[0];
  return first ? (
    <span role="status" className="kit-muted">
      {first.says}
    </span>
  ) : null;
}
