/** Something that an import does not take over, and its place in the file. */
export interface ImportWarning {
  sheet: string;
  row: number;
  message: string;
}

/** More than anybody reads. */
const maxWarnings = 500;

/** Collects the warnings of an import. */
export class Report {
  private readonly found: ImportWarning[] = [];
  private more = 0;

  warn(sheet: string, row: number, message: string): void {
    if (this.found.length < maxWarnings) this.found.push({ sheet, row, message });
    else this.more += 1;
  }

  get warnings(): ImportWarning[] {
    return this.more === 0 ? this.found : [...this.found, { sheet: 'survey', row: 1, message: `and ${this.more} more warnings` }];
  }
}
