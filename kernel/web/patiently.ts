const pauses = [1000, 2000, 5000, 10_000, 30_000];

/**
 * Loads a part of the program that the page can do without for a while. A lost network delays it; only if it is lost for most of a minute is the
 * failure thrown, which takes the page with it.
 */
export async function patiently<T>(load: () => Promise<T>, waits = pauses): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const [wait, ...later] = waits;
    if (wait === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return patiently(load, later);
  }
}
