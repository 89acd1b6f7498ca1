export { brokenFile, brokenRow } from './broken';
export { lettersOf, readFirstSheet, readSheets, xlsFormBounds, type Bounds, type Report, type Row } from './workbook';
