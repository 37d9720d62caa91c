/** What people wrote stays what they wrote where the other side reads markdown. */
export const literal = (text: string) => text.replace(/[\\`*_[\]<>#~|]/g, (sign) => `\\${sign}`);
export const cut = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
