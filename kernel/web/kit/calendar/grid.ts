import {
  createCalendar,
  DayGrid,
  destroyCalendar,
  Interaction,
  List,
  ResourceTimeGrid,
  ResourceTimeline,
  TimeGrid,
} from '@event-calendar/core';
import type { Calendar } from '@event-calendar/core';
import '@event-calendar/core/index.css';
import './calendar.css';

export type { Calendar };
export { destroyCalendar };

const plugins = [DayGrid, TimeGrid, List, ResourceTimeGrid, ResourceTimeline, Interaction];
export const makeCalendar = (place: HTMLElement, options: Calendar.Options) => createCalendar(place, plugins, options);
