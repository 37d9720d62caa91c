import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { everybody } from './changes.ts';
import { createRoom, type Seat } from './socket-room.ts';

/** A window, and the messages it received. */
function seatOf(userId: number) {
  const words: { cursor: string; changed: string[]; within?: number }[] = [];
  const socket = { bufferedAmount: 0, send: (text: string) => void words.push(JSON.parse(text) as (typeof words)[0]) };
  const seat: Seat = {
    socket: socket as never as WebSocket,
    userId,
    sessionId: 1,
    here: true,
    frames: 0,
    at: 0,
    wide: 0,
  };
  return { seat, words };
}

test('a window that joins while a notification is on its way takes it from nobody', () => {
  const room = createRoom();
  const [early, late, other] = [seatOf(7), seatOf(7), seatOf(8)];
  for (const { seat } of [early, other]) {
    room.enter(seat);
    room.greet(seat, 3, 5, null);
  }
  room.enter(late.seat);
  room.greet(late.seat, 4, 6, null);
  room.say(7, 4, ['msg']);
  room.say(everybody, 6, ['notice']);
  expect(early.words.slice(1)).toEqual([
    { cursor: '4.5', changed: ['msg'] },
    { cursor: '4.6', changed: ['notice'] },
  ]);
  expect(other.words.slice(1)).toEqual([{ cursor: '3.6', changed: ['notice'] }]);
  expect(late.words, 'what it has heard with its greeting is not said again').toEqual([{ cursor: '4.6', changed: [] }]);
});

test('a heartbeat is answered with the time in which all windows of the node would reconnect elsewhere', () => {
  const room = createRoom();
  const mine = seatOf(0);
  room.enter(mine.seat);
  room.heard(mine.seat);
  for (let person = 1; person <= 2000; person++) room.enter(seatOf(person).seat);
  room.heard(mine.seat);
  expect(mine.words).toEqual([
    { cursor: '0.0', changed: [], within: 1 },
    { cursor: '0.0', changed: [], within: 21 },
  ]);
});
