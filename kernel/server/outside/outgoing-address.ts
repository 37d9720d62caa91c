import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = [Address, number];

/** Addresses and networks such as `10.1.0.0/16`, as the configuration names them. Throws on anything else. */
export function rangesOf(list: readonly string[]): Range[] {
  return list.map((entry) => {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry);
    const address = ipaddr.parse(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
/** These addresses look public but answer only inside a cloud or a translator, where they give out keys. */
const insideClouds = rangesOf(['168.63.129.16', '64:ff9b:1::/48']);
const translated = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** True if the product may connect to the address: a public one, or one that the operator allows. */
export function mayConnect(text: string, allowed: readonly Range[]): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = plain(ipaddr.parse(text));
  const inside = (ranges: readonly Range[]) => ranges.some(([net, bits]) => isIn(address, net, bits));
  if (inside(allowed)) return true;
  if (inside(insideClouds) || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

const isIn = (address: Address, net: Address, bits: number): boolean =>
  address instanceof ipaddr.IPv4
    ? net instanceof ipaddr.IPv4 && address.match(net, bits)
    : net instanceof ipaddr.IPv6 && address.match(net, bits);

/** The IPv4 address that an IPv6 one stands for, if it does. */
function plain(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(translated)) return ipaddr.fromByteArray(address.toByteArray().slice(12));
  return address;
}
