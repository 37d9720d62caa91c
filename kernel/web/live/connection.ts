export interface LiveOptions {
  /** Address of the socket, without its query. */
  url: string;
  /** Said every five seconds; the server believes nothing of it. */
  username: string;
  /** A fresh ticket; null when the session is over, so that nothing is tried again. */
  ticket(): Promise<string | null>;
  /** Topics in which something changed; `*` when any may have. */
  hear(topics: readonly string[]): void;
  open?(url: string): WebSocket;
}

export interface Live {
  /** Comes back at once, when there is reason to think that it would work now. */
  wake(): void;
  connected(): boolean;
  close(): void;
}

const heartbeatMs = 5000;
/** Beats without an answer after which a line has gone dark, though nobody closed it. */
const darkAfter = 2;
const askAgainMs = 30_000;
/** What depends on the clock alone gives no word: now and then everything is asked anew. */
const turnsConnected = 10;
/** A node that is lost loses all its windows in one moment; the others are not to meet them all in the next. At most so long, whatever it said. */
const comeBackMs = 60_000;
/** A line that went dark is most often one's own. */
const darkWaitMs = 4000;
/** A word to everybody is not answered by everybody in the same moment. */
const wideMs = 2000;
const overCode = 4001;

/**
 * Keeps one socket open, and asks by the clock while there is none to be had, until the session is over. After a break it comes back within as
 * long as all windows of its node would need, a minute at most, and later where that fails; it tells the server the last cursor and hears whether
 * a word was missed. So nothing is lost, and nothing is asked for nothing.
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
    // Coming back it will hear whether a word was missed: until that has failed nothing is asked.
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
      // The first time there is no cursor, but everything was asked since the page began.
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

/** From 0 up to 1. */
function chance(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}
