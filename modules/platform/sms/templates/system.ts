export const codeTemplate = 'verify_code';
/** Tells of a message in somebody's box by its title alone. */
export const messageTemplate = 'message';
/** Asks people from outside to a meeting. */
export const meetingTemplate = 'meet_notice';
/** Templates the system itself speaks by, and the places it fills in: they may be reworded, not taken away. */
export const systemTemplates: Readonly<Record<string, readonly string[]>> = {
  [codeTemplate]: ['code', 'scene', 'minutes'],
  [messageTemplate]: ['title'],
  [meetingTemplate]: ['title', 'time', 'place'],
};
