export { brokenFile, brokenRow } from './broken';
export { lettersOf, readFirstSheet, readSheets, xlsFormBounds, type Bounds, type Report, type Row } from './workbook';
export {
  declaration,
  escaped,
  packageParts,
  relationships,
  sheetNamespace,
  styleOf,
  textCell,
  type DatedLook,
  type SheetPart,
} from './workbook-parts';
export { maxCellText, writeSheets, type PlainSheet } from './write-sheets';
