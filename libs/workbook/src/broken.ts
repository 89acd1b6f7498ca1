import { Problem } from '@sheaf/kernel';

/** A file that cannot be read at all. */
export const brokenFile = (cause?: unknown): Problem =>
  new Problem('bad_request', 'file: must be an XLSX workbook, not encrypted', cause === undefined ? {} : { cause });

/** A fault at a place that its author can look up. */
export const brokenRow = (sheet: string, row: number, message: string): Problem => Problem.badRequest(`${sheet} row ${row}: ${message}`);
