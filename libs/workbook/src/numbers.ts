import type { Part } from './xml';

/** How a cell shows its number: as it is, or as a moment. */
export type Style = 'number' | 'date' | 'time' | 'datetime';

/** The formats that every workbook has (ECMA-376, 18.8.30), some of them only in programs for East Asian languages. */
const known = (id: number): Style => {
  if (id === 22) return 'datetime';
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'date';
  return (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) ? 'time' : 'number';
};

/** The style of each cell format, in the order in which cells refer to them. */
export async function stylesOf(part: Part): Promise<Style[]> {
  const custom = new Map<number, Style>();
  const styles: Style[] = [];
  let isOfCells = false;
  for await (const tokens of part)
    for (const token of tokens) {
      if (token.kind === 'text') continue;
      if (token.name === 'cellXfs') isOfCells = token.kind === 'open';
      if (token.kind === 'close') continue;
      if (token.name === 'numFmt') custom.set(Number(token.attributes.numFmtId), styleOf(token.attributes.formatCode ?? ''));
      if (token.name === 'xf' && isOfCells) {
        const id = Number(token.attributes.numFmtId ?? 0);
        styles.push(custom.get(id) ?? known(id));
      }
    }
  return styles;
}

/** The style of a format such as `dd.mm.yyyy`. Text in quotes, in brackets or behind a backslash is shown as it is. */
function styleOf(format: string): Style {
  const [first = ''] = format.slice(0, 255).split(';', 1);
  const letters = first.replaceAll(/"[^"]*"?|\[[^\]]*\]?|[\\_*]./g, '').toLowerCase();
  if (letters.includes('general')) return 'number';
  const [hasDay, hasTime] = [/[yd]|mmm/.test(letters), /[hs]/.test(letters)];
  if (hasDay) return hasTime ? 'datetime' : 'date';
  return hasTime ? 'time' : 'number';
}

const dayMs = 86_400_000;
/** The day before 1 January 1900, with the leap day that the first spreadsheets believed in. */
const start = Date.UTC(1899, 11, 30);
const startFrom1904 = Date.UTC(1904, 0, 1);
/** The year 9999. */
const lastDay = 2_958_466;

/** Programs store fifteen digits and more, and show fifteen. */
const digits = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 });

/** The text that a spreadsheet shows for a stored number: `2.3` for 2.2999999999999998, and moments as forms write them. */
export function shownNumber(stored: string, style: Style = 'number', isFrom1904 = false): string {
  if (stored === '' || stored.length > 64 || !Number.isFinite(Number(stored))) return stored;
  const number = Number(stored);
  if (style === 'number' || number < 0 || number >= lastDay) return digits.format(number);
  const moment = new Date((isFrom1904 ? startFrom1904 : start) + Math.round((number * dayMs) / 1_000) * 1_000).toISOString();
  const [date, time] = [moment.slice(0, 10), moment.slice(11, moment.slice(17, 19) === '00' ? 16 : 19)];
  // A time of day without a day, whatever the format says.
  if (style === 'time' || number < 1) return time;
  return style === 'date' || Number.isInteger(number) ? date : `${date}T${time}`;
}
