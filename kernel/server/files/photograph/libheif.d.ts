declare module 'libheif-js/wasm-bundle.js' {
  interface Room {
    data: Uint8ClampedArray;
    width: number;
    height: number;
  }
  interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    /** Fills the buffer with pixels; null if they cannot be decoded. */
    display(room: Room, shown: (room: Room | null) => void): void;
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export default libheif;
}
