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
    /** Fills the room with pixels; null where they cannot be unpacked. */
    display(room: Room, shown: (room: Room | null) => void): void;
  }
  const libheif: { HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export default libheif;
}
