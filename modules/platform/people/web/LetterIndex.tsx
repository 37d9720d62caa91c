import { Button } from 'antd';
import { useSearchParams } from 'react-router';
import { letters } from '../contract/lookups.ts';

/** The letter of the address, by which names begin; the buttons set it, the chosen one once more takes it away. */
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

/** People by the first letter of how their names are read. */
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
