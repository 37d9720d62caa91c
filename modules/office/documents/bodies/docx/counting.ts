const digits = '零一二三四五六七八九';
const formal = '零壹贰叁肆伍陆柒捌玖';

/** Writes 1 to 999 in Chinese numerals for numbered paragraphs: 十, 十一, 二十, 一百零五. */
function chinese(value: number, names: string, [ten, hundred]: readonly [string, string]): string {
  const [hundreds, tens, ones] = [Math.floor(value / 100), Math.floor(value / 10) % 10, value % 10];
  const high = hundreds ? `${names[hundreds]}${hundred}` : '';
  const gap = hundreds && !tens && ones ? names[0] : '';
  const bare = tens === 1 && !hundreds && ten === '十';
  const middle = tens ? `${bare ? '' : names[tens]}${ten}` : '';
  return `${high}${gap}${middle}${ones ? names[ones] : ''}`;
}

const letter = (value: number) => String.fromCodePoint(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
const romans: [number, string][] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
function roman(value: number): string {
  let [rest, text] = [value, ''];
  for (const [size, name] of romans)
    while (rest >= size) {
      text += name;
      rest -= size;
    }
  return text;
}

/** Formats a list number in the format that a Word file asks for. */
export function counted(value: number, format: string): string {
  if (value < 1 || value > 999) return String(value);
  if (/^(?:chineseCounting|japaneseCounting|taiwaneseCounting|ideographDigital)/.test(format))
    return chinese(value, digits, ['十', '百']);
  if (/LegalSimplified|LegalTraditional|ideographLegal/.test(format)) return chinese(value, formal, ['拾', '佰']);
  if (/EnclosedCircle/.test(format) && value <= 20) return String.fromCodePoint(0x2460 + value - 1);
  if (format === 'lowerLetter') return letter(value);
  if (format === 'upperLetter') return letter(value).toUpperCase();
  if (format === 'lowerRoman') return roman(value);
  if (format === 'upperRoman') return roman(value).toUpperCase();
  if (format === 'decimalZero') return String(value).padStart(2, '0');
  return format === 'none' ? '' : String(value);
}
