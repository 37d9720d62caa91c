import type { WebSocket } from 'ws';
import { everybody } from './changes.ts';

/** Why the server closes a socket. After `over` there is no use in coming again. */
export const closings = { stopping: 1001, tooMuch: 1008, over: 4001, tooMany: 4029 } as const;

/** One socket of one person's session. */
export interface Seat {
  socket: WebSocket;
  userId: number;
  sessionId: number;
  /** Whether anything was heard since the last pulse, and how many frames. */
  here: boolean;
  frames: number;
  /** How far it has heard: of its person's changes, and of everybody's. */
  at: number;
  wide: number;
}

const seatsPerPerson = 12;
const seatsAtMost = 10_000;
const framesPerPulse = 60;
const bufferedAtMost = 64 * 1024;
/** Windows that come back to the others without anybody feeling it. */
const backPerSecond = 100;

/** Who is there on this node, and how far each of their windows has heard. */
export function createRoom() {
  const people = new Map<number, Set<Seat>>();
  let seated = 0;

  function send(seat: Seat, topics: readonly string[], more?: { within: number }): void {
    // Who does not read is let go: coming again they hear that they missed something.
    if (seat.socket.bufferedAmount > bufferedAtMost) seat.socket.terminate();
    else seat.socket.send(JSON.stringify({ cursor: cursorOf(seat), changed: topics, ...more }));
  }

  return {
    count: () => seated,
    full: () => seated >= seatsAtMost,
    people: () => [...people.keys()],
    sessions: () => [...new Set(all(people).map((seat) => seat.sessionId))],

    /** False when the person has too many already. */
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

    /** The first word on a socket: the cursor, and whether it has moved on since the one the window knew; null: it knows all. */
    greet(seat: Seat, at: number, wideAt: number, knew: string | null): void {
      if (!people.get(seat.userId)?.has(seat)) return;
      seat.at = Math.max(seat.at, at);
      seat.wide = Math.max(seat.wide, wideAt);
      send(seat, knew === null || knew === cursorOf(seat) ? [] : ['*']);
    },

    /** Tells a person's windows, or everybody's. What a window has heard already is not said again. */
    say(person: number, at: number, topics: readonly string[]): void {
      const upTo = person === everybody ? 'wide' : 'at';
      for (const seat of person === everybody ? all(people) : (people.get(person) ?? [])) {
        if (at <= seat[upTo]) continue;
        seat[upTo] = at;
        send(seat, topics);
      }
    },

    /**
     * Answers a beat with an empty word, by which a window knows that its line is there, and within how many seconds all of this node's would have to
     * come back elsewhere if it were lost.
     */
    heard(seat: Seat): void {
      seat.here = true;
      if (++seat.frames > framesPerPulse) seat.socket.close(closings.tooMuch);
      else if (people.get(seat.userId)?.has(seat)) send(seat, [], { within: Math.ceil(seated / backPerSecond) });
    },

    /** Asks everybody for a sign of life; who gave none since the last time is let go. */
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

    /** Sends everybody away; `done` once they are gone. */
    empty(done: () => void): void {
      for (const seat of all(people)) dismiss(seat, closings.stopping);
      done();
    },
  };
}

const politeMs = 1000;

/** Closes, and cuts the line when the other side does not close too. */
function dismiss(seat: Seat, why: number): void {
  seat.socket.close(why);
  setTimeout(() => seat.socket.terminate(), politeMs).unref();
}

const cursorOf = ({ at, wide }: Seat) => `${at}.${wide}`;

function all(people: ReadonlyMap<number, ReadonlySet<Seat>>): Seat[] {
  return [...people.values()].flatMap((seats) => [...seats]);
}
