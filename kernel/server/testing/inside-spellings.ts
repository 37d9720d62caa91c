/** The ways to write an IPv4 address. */
function spellings(address: string): string[] {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number) => value.toString(16);
  const octal = (value: number) => `0${value.toString(8)}`;
  const [high, low] = [hex(whole >>> 16), hex(whole & 0xffff)];
  const wide = [...address].map((sign) => (sign === '.' ? '。' : String.fromCodePoint(sign.codePointAt(0)! + 0xfee0)));
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((part) => `0x${hex(part)}`).join('.'),
    [a, b, c, d].map(octal).join('.'),
    [`0x${hex(a)}`, octal(b), c, d].join('.'),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    [...address].map((sign) => `%${hex(sign.codePointAt(0)!)}`).join(''),
    wide.join(''),
    `[::ffff:${address}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:ffff:${high}:${low}]`,
    `[64:ff9b::${high}:${low}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[::${high}:${low}]`,
    `[::ffff:0:${high}:${low}]`,
    `[2001:0:${high}:${low}::1]`,
    `someone@${address}`,
    `www.example.com@${address}`,
    `www.example.com:80@${address}`,
  ];
}
const private4 = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
];
const others = (
  '127.1 127.0.1 0 2130706433 0x7f.1 017700000001 127.127.127.127 192.0.0.192 224.0.0.1 ' +
  '255.255.255.255 198.18.0.1 240.0.0.1 168.63.129.16 192.0.2.1 [::] [::1] [fe80::1] [fe80::1%25eth0] ' +
  '[::1%25lo] [fd00:ec2::254] [fc00::1] [ff02::1] [fec0::1] [2001:db8::1] [100::1] localhost localhost. ' +
  'LOCALHOST name.inside name.inside. both.outside-and.inside'
).split(' ');

/** The addresses that these names resolve to. */
export const insideNames: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'name.inside': ['10.1.2.3'],
  'name.inside.': ['::ffff:169.254.169.254'],
  'both.outside-and.inside': ['93.184.215.14', '127.0.0.1'],
};
/** Ways to write an internal address, each as the host of a URL. */
export const insideSpellings = [...private4.flatMap(spellings), ...others];
