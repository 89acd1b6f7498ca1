export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const sheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** How a date or time is shown. */
export type DatedLook = 'date' | 'minutes' | 'seconds' | 'dateMinutes' | 'dateSeconds';

type Style = DatedLook | 'heading' | 'link' | 'quoted' | 'wrapped' | 'name';

// Dates as ISO 8601 has them: no reader takes the day for the month.
const styles: Readonly<Record<Style, string>> = {
  date: 'numFmtId="164" applyNumberFormat="1"',
  minutes: 'numFmtId="165" applyNumberFormat="1"',
  seconds: 'numFmtId="166" applyNumberFormat="1"',
  dateMinutes: 'numFmtId="167" applyNumberFormat="1"',
  dateSeconds: 'numFmtId="168" applyNumberFormat="1"',
  heading: 'fontId="1" applyFont="1" applyAlignment="1"',
  link: 'fontId="2" applyFont="1"',
  quoted: 'quotePrefix="1"',
  wrapped: 'applyAlignment="1"',
  name: 'fontId="1" applyFont="1" applyAlignment="1"',
};
const alignments: Readonly<Partial<Record<Style, string>>> = {
  heading: '<alignment vertical="top" wrapText="1"/>',
  wrapped: '<alignment horizontal="left" vertical="top" wrapText="1"/>',
  name: '<alignment vertical="top"/>',
};
const formats = ['yyyy\\-mm\\-dd', 'hh:mm', 'hh:mm:ss', 'yyyy\\-mm\\-dd\\ hh:mm', 'yyyy\\-mm\\-dd\\ hh:mm:ss'];
const names = Object.keys(styles) as Style[];

/** The number of each style; 0 is that of plain cells. */
export const styleOf = Object.fromEntries(names.map((name, index) => [name, index + 1])) as Readonly<Record<Style, number>>;

function printStyle(name: Style): string {
  const facts = styles[name];
  const format = facts.includes('numFmtId') ? '' : 'numFmtId="0" ';
  const font = facts.includes('fontId') ? '' : 'fontId="0" ';
  const start = `<xf ${format}${font}fillId="0" borderId="0" xfId="0" ${facts}`;
  return alignments[name] === undefined ? `${start}/>` : `${start}>${alignments[name]}</xf>`;
}

const stylesheet =
  `<styleSheet xmlns="${sheetNamespace}"><numFmts count="${formats.length}">` +
  `${formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>` +
  '<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${names.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${names.map(printStyle).join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

export interface SheetPart {
  name: string;
  /** The cells that a filter is set over, such as `$A$1:$C$9`. */
  filtered?: string;
}

/** The package parts that turn the sheets into a workbook; `xl/worksheets/sheet1.xml` is the first. */
export function packageParts(sheets: readonly SheetPart[]): Record<string, string> {
  const each = (print: (sheet: SheetPart, number: number) => string) => sheets.map((sheet, index) => print(sheet, index + 1)).join('');
  // Excel keeps the range of a sheet's filter under this name as well.
  const filters = each(({ name, filtered }, n) =>
    filtered === undefined
      ? ''
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${n - 1}" hidden="1">'${name}'!${filtered}</definedName>`,
  );
  const parts = {
    'xl/workbook.xml':
      `<workbook xmlns="${sheetNamespace}" xmlns:r="${relationships}"><sheets>` +
      `${each(({ name }, n) => `<sheet name="${name}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets><definedNames>${filters}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships xmlns="${packages}/relationships">` +
      each((_, n) => `<Relationship Id="rId${n}" Type="${relationships}/worksheet" Target="worksheets/sheet${n}.xml"/>`) +
      `<Relationship Id="rId${sheets.length + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': stylesheet,
    '_rels/.rels':
      `<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `<Types xmlns="${packages}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/>` +
      `${each((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${types}.worksheet+xml"/>`)}</Types>`,
  };
  return Object.fromEntries(Object.entries(parts).map(([path, content]) => [path, declaration + content]));
}

/** Inline: the usual table of shared strings would have to stay in memory until the end. Typed as text, so no formula is evaluated. */
export const textCell = (text: string, at: string, style?: number): string =>
  `<c r="${at}"${style === undefined ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

export const escaped = (text: string): string =>
  text.replace(special, (found) => escapes[found] ?? `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);

// Characters that XML cannot represent are written as _xHHHH_ (ECMA-376, 22.9.2.19). Text that already looks like this gets its underscore
// escaped.
// oxlint-disable-next-line no-control-regex -- the pattern is about control characters
const special = /[&<>\0-\x08\v\f\r\x0E-\x1F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
