// Loaded before a program that run.mjs starts: ends it in good order when run.mjs is killed outright.
if (process.connected) {
  process.channel?.unref();
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
}
