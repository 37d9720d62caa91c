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

const plugins = [DayGrid, TimeGrid, List, ResourceTimeGrid, ResourceTimeline, Interaction];
const tableParts = ['aria-colindex', 'aria-colspan', 'role'];
const roles = ['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell', 'list', 'listitem']
  .map((role) => `[role=${role}]`)
  .join();

/**
 * Creates a calendar in an element. The library declares roles of a table or list whose parts are missing, which misleads screen readers; the entries
 * have names of their own.
 */
export function makeCalendar(place: HTMLElement, options: Calendar.Options): { calendar: Calendar; close(): void } {
  const calendar = createCalendar(place, plugins, options);
  const tidy = () => {
    for (const element of place.querySelectorAll(roles)) for (const name of tableParts) element.removeAttribute(name);
    // The days of a list come right after the title of the page.
    for (const head of place.querySelectorAll('h4.ec-day-head')) head.setAttribute('aria-level', '2');
    // A day without entries must be scrollable by keyboard too.
    for (const grid of place.querySelectorAll<HTMLElement>('.ec-main')) grid.tabIndex = 0;
  };
  const watch = new MutationObserver(tidy);
  watch.observe(place, { childList: true, subtree: true, attributes: true, attributeFilter: ['role'] });
  tidy();
  return {
    calendar,
    close() {
      watch.disconnect();
      void destroyCalendar(calendar);
    },
  };
}
