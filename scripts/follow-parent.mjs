// Loaded before a program that run.mjs starts: ends it cleanly when run.mjs disconnects or is killed.
if (process.connected) {
  process.channel?.unref();
  // Emitted inside the process: on systems without signals, sending oneself a signal would kill the program at once.
  process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM') || process.exit(143));
}
