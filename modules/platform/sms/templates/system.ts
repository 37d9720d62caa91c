export const codeTemplate = 'verify_code';
/** Notifies of a message in somebody's box by its title alone. */
export const messageTemplate = 'message';
/** Invites external people to a meeting. */
export const meetingTemplate = 'meet_notice';
/** The system's own templates, and their placeholders: they may be reworded, not removed. */
export const systemTemplates: Readonly<Record<string, readonly string[]>> = {
  [codeTemplate]: ['code', 'scene', 'minutes'],
  [messageTemplate]: ['title'],
  [meetingTemplate]: ['title', 'time', 'place'],
};
