import type { ModuleDefinition } from '#kernel/server/product.ts';
import { calendarsModule } from './server.ts';
import { calendarSteps } from './service/setup.ts';

/** Calendars of working days. */
export const calendars: ModuleDefinition = {
  logNames: { calendars: '工作日历' },
  servers: () => [calendarsModule],
  setup: calendarSteps,
};
