/** What the other side said, in its own words and language. */
export const Answer = ({ words }: { words: string }) => (
  <span translate="no" title={words}>
    {words}
  </span>
);
