import type { WebSocket } from 'ws';
import { everybody } from './changes.ts';

/** The reasons for which the server closes a socket. After `over` a window should not reconnect. */
export const closings = { stopping: 1001, tooMuch: 1008, over: 4001, tooMany: 4029 } as const;

/** One socket of one person's session. */
export interface Seat {
  socket: WebSocket;
  userId: number;
  sessionId: number;
  /** True if anything was received since the last pulse; and the number of frames. */
  here: boolean;
  frames: number;
  /** The cursors up to which it was notified: of its person's changes, and of everybody's. */
  at: number;
  wide: number;
}

const seatsPerPerson = 12;
const seatsAtMost = 10_000;
const framesPerPulse = 60;
const bufferedAtMost = 64 * 1024;
/** The number of windows that can reconnect to the other nodes each second without being noticed. */
const backPerSecond = 100;

/** The people connected to this node, and the cursors of each of their windows. */
export function createRoom() {
  const people = new Map<number, Set<Seat>>();
  let seated = 0;

  function send(seat: Seat, topics: readonly string[], more?: { within: number }): void {
    // A window that does not read is disconnected; when it reconnects it learns that it missed something.
    if (seat.socket.bufferedAmount > bufferedAtMost) seat.socket.terminate();
    else seat.socket.send(JSON.stringify({ cursor: cursorOf(seat), changed: topics, ...more }));
  }

  return {
    count: () => seated,
    full: () => seated >= seatsAtMost,
    people: () => [...people.keys()],
    sessions: () => [...new Set(all(people).map((seat) => seat.sessionId))],

    /** Returns false if the person has too many sockets already. */
    enter(seat: Seat): boolean {
      const seats = people.get(seat.userId) ?? new Set();
      if (seats.size >= seatsPerPerson) return false;
      people.set(seat.userId, seats.add(seat));
      seated++;
      return true;
    },

    leave(seat: Seat): void {
      const seats = people.get(seat.userId);
      if (!seats?.delete(seat)) return;
      seated--;
      if (seats.size === 0) people.delete(seat.userId);
    },

    /** The first message on a socket: the cursor, and whether it has moved since the one the window knew; null if the window is up to date. */
    greet(seat: Seat, at: number, wideAt: number, knew: string | null): void {
      if (!people.get(seat.userId)?.has(seat)) return;
      seat.at = Math.max(seat.at, at);
      seat.wide = Math.max(seat.wide, wideAt);
      send(seat, knew === null || knew === cursorOf(seat) ? [] : ['*']);
    },

    /** Notifies a person's windows, or everybody's. A window is not told again of what it has heard. */
    say(person: number, at: number, topics: readonly string[]): void {
      const upTo = person === everybody ? 'wide' : 'at';
      for (const seat of person === everybody ? all(people) : (people.get(person) ?? [])) {
        if (at <= seat[upTo]) continue;
        seat[upTo] = at;
        send(seat, topics);
      }
    },

    /**
     * Answers a heartbeat with an empty message, which tells a window that its connection works, and within how many seconds all windows of this node
     * would have to reconnect elsewhere if the node were lost.
     */
    heard(seat: Seat): void {
      seat.here = true;
      if (++seat.frames > framesPerPulse) seat.socket.close(closings.tooMuch);
      else if (people.get(seat.userId)?.has(seat)) send(seat, [], { within: Math.ceil(seated / backPerSecond) });
    },

    /** Asks every window for a sign of life; one that gave none since the last time is disconnected. */
    pulse(): void {
      for (const seat of all(people)) {
        if (!seat.here) seat.socket.terminate();
        seat.here = false;
        seat.frames = 0;
        if (seat.socket.readyState === seat.socket.OPEN) seat.socket.ping();
      }
    },

    endSessions(ended: readonly number[]): void {
      const over = new Set(ended);
      for (const seat of all(people)) if (over.has(seat.sessionId)) dismiss(seat, closings.over);
    },

    /** Disconnects every window; calls `done` once they are gone. */
    empty(done: () => void): void {
      for (const seat of all(people)) dismiss(seat, closings.stopping);
      done();
    },
  };
}

const politeMs = 1000;

/** Closes a socket, and cuts the connection if the other side does not close too. */
function dismiss(seat: Seat, why: number): void {
  seat.socket.close(why);
  setTimeout(() => seat.socket.terminate(), politeMs).unref();
}

const cursorOf = ({ at, wide }: Seat) => `${at}.${wide}`;

function all(people: ReadonlyMap<number, ReadonlySet<Seat>>): Seat[] {
  return [...people.values()].flatMap((seats) => [...seats]);
}
