/** What draws pictures: large, and not loaded before the first one comes. */
export const loadSharp = async () => (await import('sharp')).default;
