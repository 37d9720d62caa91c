import { pino, type DestinationStream, type Logger } from 'pino';
import { maskPhones } from '../text/mask-phones.ts';
import { terminal } from './terminal.ts';

const redact = ['req.headers.authorization', '*.password', '*.token', '*.jwt', '*.phone', '*.code'];
const kept = ['errno', 'syscall', 'severity', 'table', 'constraint', 'column', 'routine'];

/** The server's log, one JSON object a line; at a terminal, sentences. */
export function openLog(
  level: string,
  into: DestinationStream | undefined = process.stdout.isTTY ? terminal : undefined,
): Logger {
  const options = { level, redact, serializers: { err: shownError } };
  return into ? pino(options, into) : pino(options);
}

/** An error for the log: the failure and its place, never the values involved. */
export function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [words, ...places] = (error.stack ?? '').split(/\n(?= +at )/);
  return {
    type: error.name,
    message: withoutValues(error.message),
    stack: [withoutValues(words ?? ''), ...places].join('\n'),
    ...Object.fromEntries(kept.flatMap((name) => (name in error ? [[name, error[name as keyof Error]]] : []))),
    ...('code' in error ? { state: error.code } : {}),
    ...(error.cause === undefined ? {} : { cause: shownError(error.cause) }),
  };
}

/** A failed statement names its parameters last; the database quotes the value it could not take. */
const withoutValues = (text: string) => maskPhones(text.replace(/\nparams: [^]*$/, '').replace(/: "[^]*"$/, ': "…"'));
