import type { Readable } from 'node:stream';

/**
 * Keeps the failure of a stream that is filled before anybody reads it. Without a listener it would end the whole process; whoever reads the stream
 * is told of it all the same.
 */
export function holdFailure<S extends Readable>(stream: S): S {
  return stream.on('error', () => undefined);
}
