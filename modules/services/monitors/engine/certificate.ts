import { dayMs } from '#kernel/contract/moment.ts';
/** The stored facts about the certificates seen by a monitor; times in milliseconds. */
export interface KeptCertificate {
  /** The earliest expiry among those seen within a day. */
  ends: number | null;
  subject: string;
  issuer: string;
  /** The smallest threshold reported, the time of the report, and the last time a certificate required it. */
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

/**
 * Reports each threshold of days once and at most one a day, even if several servers answer in turn with different certificates. All count
 * as renewed once none that expires soon was seen for a day. `tell` is the number of days left.
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
