const plain = '0123456789+-−=()n';
const characters = { sup: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ', sub: '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ' };

/** The raised (`sup`) or lowered (`sub`) text in characters that mean the same, as in m² and H₂O; null if there is none for one of its characters. */
export function raisedText(text: string, kind: 'sup' | 'sub'): string | null {
  const same = [...text].map((one) => [...characters[kind]][plain.indexOf(one)] ?? null);
  return same.includes(null) ? null : same.join('');
}
