/** Names for the numbers in a definition, without those of modules. */
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
