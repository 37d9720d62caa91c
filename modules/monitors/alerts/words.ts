/** Tells what waits in `monitor_alert`, a customer at a time. */
export const alertTask = 'monitors.alert';
