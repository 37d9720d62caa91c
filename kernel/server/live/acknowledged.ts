/** A write that somebody was told is done. */
export interface AcknowledgedWrite {
  /** `YYYY-MM-DD HH:mm:ss` by the node's clock. */
  at: string;
  traceId: string;
  who: string;
  /** What was done, as the operation log says it. */
  what: string;
  path: string;
}

/** The newest writes of this process, for the day on which a database has forgotten them. */
export interface AcknowledgedWrites {
  note(write: AcknowledgedWrite): void;
  /** The earliest first. */
  all(): AcknowledgedWrite[];
}

export function createAcknowledgedWrites(most = 5000): AcknowledgedWrites {
  const kept: AcknowledgedWrite[] = [];
  let next = 0;
  return {
    note(write) {
      kept[next % most] = write;
      next += 1;
    },
    all: () => [...kept.slice(next % most), ...kept.slice(0, next % most)],
  };
}
