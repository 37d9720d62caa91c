const key = 'ticketState';

/** The ticket last opened, as this browser stores it: its actions, its title, and an opinion begun. */
export interface TicketState {
  buttonList: string[];
  ticketId: number;
  label: string;
  notes: string;
}

export function keepTicketState(state: TicketState): void {
  try {
    localStorage.setItem(key, JSON.stringify(state));
  } catch {
    // If the storage is full, only the way back is lost, not the work.
  }
}

/** Null if this person opened no ticket here, or the stored one cannot be read. */
export function ticketState(): TicketState | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as TicketState | null;
    return kept && typeof kept.ticketId === 'number' && typeof kept.notes === 'string' ? kept : null;
  } catch {
    return null;
  }
}
