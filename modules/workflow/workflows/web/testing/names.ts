/** Names of what a definition speaks of, by number; nothing that a module would add. */
export const names = {
  person: (id: number) => `人 ${id}`,
  dept: String,
  role: String,
  group: String,
  cards: () => [],
  roles: [],
  groups: [],
  meanings: [],
};
