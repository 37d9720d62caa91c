/** The other side's reply, in its own language. */
export const Answer = ({ words }: { words: string }) => (
  <span translate="no" title={words}>
    {words}
  </span>
);
