/** Letters that people sort as others, though Unicode takes them for letters of their own. */
const alike: Record<string, string> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};

/** Folds a text for sorting: lower case without accents. Marks that make another letter, as in Japanese, stay. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[æđðħıłøœßþ]/g, (letter) => alike[letter] ?? letter);
