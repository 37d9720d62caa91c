// Apart from the rules that hold them: the thread of the monitoring has no use for what checks a form.

/** Under which the settings of the monitoring stand. */
export const monitorSettings = 'monitors';
/** Of an office that set none. */
export const usualReferences = ['223.5.5.5:53', '119.29.29.29:53', '114.114.114.114:53'];
