export interface LiveOptions {
  /** Address of the socket, without its query. */
  url: string;
  /** Sent every five seconds; the server does not believe it. */
  username: string;
  /** A fresh ticket; null if the session has ended, so that no reconnection is tried. */
  ticket(): Promise<string | null>;
  /** Called with the topics in which something changed; `*` if any may have. */
  hear(topics: readonly string[]): void;
  open?(url: string): WebSocket;
}

export interface Live {
  /** Reconnects at once, if there is reason to think that it would work now. */
  wake(): void;
  connected(): boolean;
  close(): void;
}

const heartbeatMs = 5000;
/** Heartbeats without an answer after which a connection counts as dead, though nobody closed it. */
const darkAfter = 2;
const askAgainMs = 30_000;
/** Values that depend only on the clock send no notification, so everything is queried again at intervals. */
const turnsConnected = 10;
/**
 * A lost node loses all its windows at the same moment; the other nodes must not get them all at the next. This is the maximum delay, whatever the
 * node announced.
 */
const comeBackMs = 60_000;
/** A dead connection is most often caused by the person's own network. */
const darkWaitMs = 4000;
/** A message to everybody must not be answered by everybody at the same moment. */
const wideMs = 2000;
const overCode = 4001;

/**
 * Keeps one socket open, and polls while there is none, until the session ends. After an interruption it reconnects within the time that all windows
 * of its node would need, a minute at most, and later if that fails; it sends the server its last cursor and learns whether a message was missed. So
 * nothing is lost, and nothing is queried needlessly.
 */
export function openLive(options: LiveOptions): Live {
  const open = options.open ?? ((url: string) => new WebSocket(url));
  let socket: WebSocket | null = null;
  let cursor = '';
  let failures = 0;
  let greeted = false;
  let over = false;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let turns = 0;
  let unanswered = 0;
  let withinMs = comeBackMs;
  const heartbeat = setInterval(beat, heartbeatMs);
  const clock = setInterval(() => {
    // After reconnecting it will learn whether a message was missed, so nothing is queried until that has failed.
    turns = greeted || failures < 2 ? (turns + 1) % turnsConnected : 0;
    if (turns === 0) options.hear(['*']);
  }, askAgainMs);

  function end(): void {
    over = true;
    clearTimeout(waiting);
    clearInterval(heartbeat);
    clearInterval(clock);
  }

  function beat(): void {
    if (!greeted || !socket) return;
    if (unanswered++ < darkAfter) return socket.send(options.username);
    const dark = socket;
    leave(dark, darkWaitMs);
    dark.close();
  }

  function leave(from: WebSocket, within?: number): void {
    if (socket !== from) return;
    socket = null;
    greeted = false;
    again(within);
  }

  async function connect(): Promise<void> {
    waiting = undefined;
    try {
      const ticket = await options.ticket();
      if (ticket === null) return end();
      if (over) return;
      // The first socket has no cursor, but everything was queried after the page started.
      const since: Record<string, string> = cursor ? { cursor } : { age: String(Math.ceil(performance.now())) };
      attach(open(`${options.url}?${new URLSearchParams({ ticket, ...since })}`));
    } catch {
      again();
    }
  }

  function attach(next: WebSocket): void {
    socket = next;
    unanswered = 0;
    next.onmessage = ({ data }) => {
      if (socket !== next) return;
      unanswered = 0;
      const word = JSON.parse(String(data)) as { cursor: string; changed: string[]; within?: number };
      const wide = greeted && word.cursor.split('.')[1] !== cursor.split('.')[1];
      cursor = word.cursor;
      greeted = true;
      failures = 0;
      if (word.within !== undefined) withinMs = word.within * 1000;
      if (word.changed.length === 0) return;
      if (wide) setTimeout(() => over || options.hear(word.changed), chance() * wideMs);
      else options.hear(word.changed);
    };
    next.onerror = () => next.close();
    next.onclose = ({ code }) => {
      if (socket === next && code === overCode) end();
      leave(next);
    };
  }

  function again(within = withinMs * 2 ** failures): void {
    if (over || waiting) return;
    failures += 1;
    waiting = setTimeout(() => void connect(), chance() * Math.min(within, comeBackMs));
  }

  void connect();
  return {
    wake() {
      if (!waiting) return;
      clearTimeout(waiting);
      void connect();
    },
    connected: () => greeted,
    close() {
      end();
      socket?.close();
    },
  };
}

/** A random number from 0 up to 1. */
function chance(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
