import { firstId, type Checking } from './asking';
import type { Findings } from './findings';

/** How many files a command looks up before it says how far it is. */
const lookedUpAtOnce = 20_000;

interface Lost {
  /** Null where no storage is configured. */
  files: number | null;
  last: string | null;
  count: number;
  lost: { id: string; submission_id: string | null }[];
}

interface Unknown {
  files: number | null;
  last: string | null;
  count: number;
  unknown: string[];
}

/**
 * Looks for files without bytes and for bytes without a file, in parts of bounded memory.
 * @returns how many files were looked for; null where no storage is configured
 */
export async function checkFiles(checking: Checking, findings: Findings): Promise<number | null> {
  let files = 0;
  for (let after: string | null = firstId; after !== null;) {
    const part = (await ask(checking, 'list-lost-files', after)) as unknown as Lost;
    if (part.files === null) return null;
    files += part.files;
    // By submission: that is what a person can look for. An upload that nobody has submitted yet has none.
    findings.add('file_missing', [...new Set(part.lost.map(({ id, submission_id }) => submission_id ?? id))], part.count);
    after = part.last;
    checking.progress(`${files} files`);
  }
  let seen = 0;
  for (let after: string | null | undefined; after !== null;) {
    const part = (await ask(checking, 'list-unknown-files', after)) as unknown as Unknown;
    seen += part.files ?? 0;
    findings.add('file_unknown', part.unknown, part.count);
    after = part.last;
    checking.progress(`${seen} files in the storage`);
  }
  return files;
}

const ask = ({ context }: Checking, command: string, after: string | undefined) =>
  context.runCommand('submissions', [command, ...(after === undefined ? [] : [`--after=${after}`]), `--limit=${lookedUpAtOnce}`]);
