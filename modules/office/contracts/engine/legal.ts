export interface LegalFacts {
  /** Written from a template without changes. */
  standard: boolean;
  /** Written from a template with its locked clauses unchanged. */
  lockedKept: boolean;
  fromTemplate: boolean;
  /** True if its category requires it. */
  needed: boolean;
  step: number;
  /** The step from which all non-standard texts need a legal review. */
  fromStep: number;
}

/** True if a legal review is needed, with the reason: a standard text needs none, a changed locked clause always does. */
export function legalReview({ standard, lockedKept, fromTemplate, needed, step, fromStep }: LegalFacts) {
  if (standard) return { needed: false, why: '示范文本未改动，不经法务审核' };
  if (fromTemplate && !lockedKept) return { needed: true, why: '示范文本的锁定条款有改动，须法务审核' };
  if (needed) return { needed: true, why: '该类别的合同须法务审核' };
  if (step >= fromStep) return { needed: true, why: '金额达到须法务审核的档次' };
  return { needed: false, why: '类别和金额都不要求法务审核' };
}

/** The number of rising thresholds that an amount reaches; an equal amount counts, as 以上 includes the number itself (民法典，第一千二百五十九条). */
export const stepOf = (amount: number, steps: readonly number[]): number => steps.filter((one) => amount >= one).length;
