export interface LegalFacts {
  /** From a template, untouched. */
  standard: boolean;
  /** From a template, its locked clauses as they stood there. */
  lockedKept: boolean;
  fromTemplate: boolean;
  /** As its category says. */
  needed: boolean;
  step: number;
  /** From which step on whatever is not standard goes to the lawyers. */
  fromStep: number;
}

/** Whether the lawyers are asked, and why: a standard text passes them by, a touched locked clause never does. */
export function legalReview({ standard, lockedKept, fromTemplate, needed, step, fromStep }: LegalFacts) {
  if (standard) return { needed: false, why: '示范文本未改动，不经法务审核' };
  if (fromTemplate && !lockedKept) return { needed: true, why: '示范文本的锁定条款有改动，须法务审核' };
  if (needed) return { needed: true, why: '该类别的合同须法务审核' };
  if (step >= fromStep) return { needed: true, why: '金额达到须法务审核的档次' };
  return { needed: false, why: '类别和金额都不要求法务审核' };
}

/** How many of rising amounts one comes up to: each is 以上, which counts itself (民法典，第一千二百五十九条). */
export const stepOf = (amount: number, steps: readonly number[]): number => steps.filter((one) => amount >= one).length;
