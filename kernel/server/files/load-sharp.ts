/** The picture library is large and is loaded only when the first picture arrives. */
export const loadSharp = async () => (await import('sharp')).default;
