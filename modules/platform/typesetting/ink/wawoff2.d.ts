declare module 'wawoff2' {
  /** The plain font of a WOFF2 file. */
  export function decompress(bytes: Uint8Array): Promise<Uint8Array>;
}
