import './letterheads.css';

interface Shown {
  org_line?: unknown;
  colour?: unknown;
  line_style?: unknown;
}

const colourOf = (value: unknown) => (/^#[0-9a-f]{6}$/i.test(String(value)) ? String(value) : '#e60012');

/** The upper part of a page with this letterhead, updated while editing. */
export function HeadPreview({ org_line, colour, line_style }: Shown) {
  const red = colourOf(colour);
  const mark = String(org_line ?? '') || '发文机关文件';
  const letters = [...mark];
  const size = Math.min(60, 400 / letters.length);
  return (
    <svg className="redhead-paper" viewBox="0 0 480 250" role="img" aria-label={`版头预览：${mark}`}>
      <rect width="480" height="250" fill="#fff" />
      <text x="40" y="36" fontSize="13" fill="#000">
        000001
      </text>
      <text x="240" y="112" fontSize={size} fontWeight="700" textAnchor="middle" fill={red}>
        {mark}
      </text>
      <text x="240" y="164" fontSize="14" textAnchor="middle" fill="#000">
        校发〔2026〕1号
      </text>
      <Separator colour={red} style={Number(line_style ?? 1)} />
      <text x="240" y="220" fontSize="18" fontWeight="700" textAnchor="middle" fill="#000">
        关于某项工作的通知
      </text>
    </svg>
  );
}

function Separator({ colour, style }: { colour: string; style: number }) {
  const line = (y: number, width: number, from = 40, to = 440) => (
    <line x1={from} x2={to} y1={y} y2={y} stroke={colour} strokeWidth={width} />
  );
  if (style === 2)
    return (
      <>
        {line(178, 2.4)}
        {line(182, 0.8)}
      </>
    );
  if (style === 3)
    return (
      <>
        {line(178, 1.4, 40, 226)}
        {line(178, 1.4, 254, 440)}
        <text x="240" y="184" fontSize="18" textAnchor="middle" fill={colour}>
          ★
        </text>
      </>
    );
  return line(178, 1.4);
}
