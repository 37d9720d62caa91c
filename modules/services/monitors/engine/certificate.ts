/** What is kept of the certificates that a monitor was shown; moments in milliseconds. */
export interface KeptCertificate {
  /** The one that ends first of those seen within a day. */
  ends: number | null;
  subject: string;
  issuer: string;
  /** The smallest threshold that was told, when, and when one was last seen that asks for it. */
  told: number | null;
  told_at: number | null;
  low_at: number | null;
}
export const freshCertificate: KeptCertificate = {
  ends: null,
  subject: '',
  issuer: '',
  told: null,
  told_at: null,
  low_at: null,
};

const dayMs = 86_400_000;

/**
 * Each threshold of days is told once and at most one a day, however many servers answer in turn with different certificates; that all
 * are renewed is believed once none that ends soon was seen for a day. `tell`: days that are left.
 */
export function judgeCertificate(
  kept: KeptCertificate,
  seen: { ends: number; subject: string; issuer: string },
  warnDays: readonly number[],
  now: number,
): { kept: KeptCertificate; tell: number | null } {
  const left = Math.floor((seen.ends - now) / dayMs);
  const stage = Math.min(...warnDays.filter((days) => left <= days));
  const isLow = Number.isFinite(stage);
  const another = kept.low_at !== null && now - kept.low_at <= dayMs;
  if (!isLow) {
    const { ends, subject, issuer } = seen;
    return another ? { kept, tell: null } : { kept: { ...freshCertificate, ends, subject, issuer }, tell: null };
  }
  const shown = another && kept.ends !== null && kept.ends < seen.ends ? kept : seen;
  const next = { ...kept, ends: shown.ends, subject: shown.subject, issuer: shown.issuer, low_at: now };
  const due = (kept.told === null || stage < kept.told) && (kept.told_at === null || now - kept.told_at >= dayMs);
  return due ? { kept: { ...next, told: stage, told_at: now }, tell: left } : { kept: next, tell: null };
}
