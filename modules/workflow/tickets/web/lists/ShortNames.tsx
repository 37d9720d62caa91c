/** The names of the people waited for, in a cell of two lines: one or two by name, otherwise the first and the count. */
export function ShortNames({ names }: { names: string }) {
  const people = names.split('、');
  const short = people.length > 2 ? `${people[0]} 等 ${people.length} 人` : names;
  return <span title={names}>{short}</span>;
}
