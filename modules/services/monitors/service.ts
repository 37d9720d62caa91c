export { startMonitoring, type Monitoring } from './probing/start.ts';
