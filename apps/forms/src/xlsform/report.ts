/**
 * The loss that people notice: a question that nobody is asked, one (or an option, or a heading) that is shown under another
 * condition than its author wrote, questions that are asked once instead of for each item, an answer that is no longer refused, a question that need
 * not be answered any more, and a value that is not computed.
 */
export type Loss = 'question' | 'repeat' | 'condition' | 'constraint' | 'requirement' | 'calculation';

/** Something that an import does not take over, and its place in the file. */
export interface ImportWarning {
  sheet: string;
  row: number;
  message: string;
  loses?: Loss;
}

/** More than anybody reads. */
const maxWarnings = 500;
/** As many rows as can lose something that people notice: each of these is named. */
const maxLosses = 5_000;

/** Collects the warnings of an import. */
export class Report {
  private readonly found: ImportWarning[] = [];
  private losses = 0;
  private more = 0;

  warn(sheet: string, row: number, message: string, loses?: Loss): void {
    const isRoom = loses === undefined ? this.found.length - this.losses < maxWarnings : this.losses < maxLosses;
    if (!isRoom) {
      this.more += 1;
      return;
    }
    this.found.push({ sheet, row, message, ...(loses === undefined ? {} : { loses }) });
    if (loses !== undefined) this.losses += 1;
  }

  get warnings(): ImportWarning[] {
    return this.more === 0 ? this.found : [...this.found, { sheet: 'survey', row: 1, message: `and ${this.more} more warnings` }];
  }
}
