/** The longest work of this thread between two turns of its loop, in milliseconds; other programs on the machine do not count. */
export async function heldUp(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let before = used();
  let most = 0;
  const tick = setInterval(() => {
    const now = used();
    most = Math.max(most, now - before);
    before = now;
  }, 1);
  await work();
  clearInterval(tick);
  return most;
}
