/** A write whose success was reported to the user. */
export interface AcknowledgedWrite {
  /** `YYYY-MM-DD HH:mm:ss` by the node's clock. */
  at: string;
  traceId: string;
  who: string;
  /** The action, as in the operation log. */
  what: string;
  path: string;
}

/** The newest writes of this process, in case a database loses them. */
export interface AcknowledgedWrites {
  note(write: AcknowledgedWrite): void;
  /** All of them, the earliest first. */
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
