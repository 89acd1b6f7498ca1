import type { Loss } from '@sheaf/apps/forms/xlsform';
import Table from 'cli-table3';
import type { Outcome } from './read-all';

const losses: Readonly<Record<Loss, string>> = {
  question: 'questions that are not asked',
  repeat: 'repeats, which are asked once',
  condition: 'conditions',
  constraint: 'constraints',
  requirement: 'questions that became optional',
  calculation: 'calculations',
};
const kinds = Object.keys(losses) as Loss[];

/** The causes that are named: the most frequent ones. */
const maxCauses = 40;

/** The outcomes by file and in sum, and the most frequent warnings. */
export function reportOf(outcomes: readonly Outcome[]): string {
  const byFile = new Table({ head: ['file', 'warnings', ...kinds.map((kind) => losses[kind])], style: { head: [], border: [] } });
  for (const outcome of outcomes) byFile.push(rowOf(outcome));
  const imported = outcomes.flatMap(({ warnings }) => (warnings ? [warnings] : []));
  const lines = [
    `${imported.length} of ${outcomes.length} files are imported, ${outcomes.filter(({ refused }) => refused !== undefined).length} are refused`,
    ...kinds.map((kind) => {
      const counts = imported.map((warnings) => warnings.filter(({ loses }) => loses === kind).length).filter((count) => count > 0);
      return `${counts.length} files lose ${losses[kind]}: ${counts.reduce((sum, count) => sum + count, 0)} in all`;
    }),
  ];
  const failed = outcomes.filter((outcome) => outcome.failed !== undefined).length;
  if (failed > 0) lines.push(`${failed} files could not be read: the reader failed`);
  return [byFile.toString(), causesOf(imported).toString(), ...lines].join('\n');
}

function rowOf({ file, warnings, refused, failed }: Outcome): (string | number)[] {
  const name = shown(file);
  if (!warnings)
    return [name, failed === undefined ? `refused: ${shown(refused ?? '')}` : `failed: ${shown(failed)}`, ...kinds.map(() => '')];
  return [name, warnings.length, ...kinds.map((kind) => warnings.filter(({ loses }) => loses === kind).length)];
}

/** The causes that files have in common: the messages without the texts of their authors, with the files and the places that they are about. */
function causesOf(imported: readonly NonNullable<Outcome['warnings']>[]): Table.Table {
  const causes = new Map<string, { files: number; times: number }>();
  for (const warnings of imported) {
    const own = new Map<string, number>();
    for (const { message, loses } of warnings) {
      const cause = `${loses === undefined ? '' : `(${loses}) `}${shown(withoutTexts(message))}`;
      own.set(cause, (own.get(cause) ?? 0) + 1);
    }
    for (const [cause, times] of own) {
      const { files, times: before } = causes.get(cause) ?? { files: 0, times: 0 };
      causes.set(cause, { files: files + 1, times: before + times });
    }
  }
  const table = new Table({ head: ['cause', 'files', 'times'], style: { head: [], border: [] } });
  for (const [cause, { files, times }] of [...causes].sort(([, a], [, b]) => b.files - a.files || b.times - a.times).slice(0, maxCauses))
    table.push([cause, files, times]);
  return table;
}

/** A type or a column says what is missing; other texts only say where. */
const withoutTexts = (message: string): string =>
  /^the (?:type|column|language) /.test(message) ? message : message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d{2,}/g, '…');

/** Foreign text on a terminal: in one line, without control characters. */
const shown = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 160);
