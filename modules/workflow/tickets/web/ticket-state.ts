const key = 'ticketState';

/** The ticket last opened, as this browser keeps it: what could be done, its title, and an opinion begun. */
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
    // A full storage costs the way back, not the work.
  }
}

/** Null where no ticket was opened by this person here, or what is kept cannot be read. */
export function ticketState(): TicketState | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as TicketState | null;
    return kept && typeof kept.ticketId === 'number' && typeof kept.notes === 'string' ? kept : null;
  } catch {
    return null;
  }
}
