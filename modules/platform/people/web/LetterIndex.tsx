import { Button } from 'antd';
import { useSearchParams } from 'react-router';
import { letters } from '../contract/lookups.ts';

/** The initial letter in the address, which filters names; the buttons set it, and pressing the same one clears it. */
export function useLetter(): [letter: string | null, choose: (letter: string) => void] {
  const [search, setSearch] = useSearchParams();
  const value = search.get('letter');
  const letter = value !== null && letters.includes(value) ? value : null;
  const choose = (chosen: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    if (chosen === letter) next.delete('letter');
    else next.set('letter', chosen);
    setSearch(next, { replace: true });
  };
  return [letter, choose];
}

/** People by the first letter of their names' reading. */
export function LetterIndex({ value, onChoose }: { value: string | null; onChoose: (letter: string) => void }) {
  return (
    <nav className="people-letters" aria-label="姓名首字母">
      {letters.map((letter) => (
        <Button
          key={letter}
          type={letter === value ? 'primary' : 'text'}
          size="small"
          aria-pressed={letter === value}
          aria-label={letter === '#' ? '姓名不以字母开头' : `姓名首字母 ${letter}`}
          onClick={() => onChoose(letter)}
        >
          {letter}
        </Button>
      ))}
    </nav>
  );
}
