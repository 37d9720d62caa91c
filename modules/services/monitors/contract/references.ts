// Separate from the rules, because the monitoring thread does not need the validation of forms.

/** The settings key of monitoring. */
export const monitorSettings = 'monitors';
/** The default references, if none are set. */
export const usualReferences = ['223.5.5.5:53', '119.29.29.29:53', '114.114.114.114:53'];
