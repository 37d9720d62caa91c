// Loaded before a program that run.mjs starts: ends it in good order when run.mjs lets go of it or is killed outright.
if (process.connected) {
  process.channel?.unref();
  // Told inside the process: a signal to oneself ends a program on the spot where the system knows none.
  process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(143));
}
