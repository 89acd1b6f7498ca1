import { createHash } from 'node:crypto';
import { z } from 'zod';

const ManifestJson = z.object({
  'PostgreSQL-Backup-Manifest-Version': z.int(),
  Files: z.array(
    z.object({
      Path: z.string().optional(),
      // For a name that is not UTF-8, which no file of ours has.
      'Encoded-Path': z.string().optional(),
      Size: z.int().min(0),
      'Checksum-Algorithm': z.literal('SHA256'),
      Checksum: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  'WAL-Ranges': z.array(z.object({ Timeline: z.int().min(1), 'Start-LSN': z.string(), 'End-LSN': z.string() })).min(1),
  'Manifest-Checksum': z.string(),
});

export interface Manifest {
  /** The size and the SHA-256 of each file, except for the log. */
  files: ReadonlyMap<string, { size: number; sum: string }>;
  /** The parts of the log without which the files cannot be used. */
  log: readonly { timeline: number; from: bigint; to: bigint }[];
}

/**
 * Reads PostgreSQL's list of the files of a base backup (https://www.postgresql.org/docs/18/backup-manifest-format.html).
 * @throws Error that says what is wrong with it
 */
export function parseManifest(text: string): Manifest {
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  const parsed = ManifestJson.safeParse(jsonOf(text));
  if (!parsed.success) throw new Error('it is no list of the files of a base backup');
  const { Files: files, 'WAL-Ranges': log, 'Manifest-Checksum': sum } = parsed.data;
  if (createHash('sha256').update(text.slice(0, lastLine)).digest('hex') !== sum) throw new Error('it does not match its own checksum');
  return {
    files: new Map(
      files.map(({ Path: path, 'Encoded-Path': encoded, Size: size, Checksum }) => [path ?? `(${encoded ?? ''})`, { size, sum: Checksum }]),
    ),
    log: log.map((range) => ({ timeline: range.Timeline, from: positionOf(range['Start-LSN']), to: positionOf(range['End-LSN']) })),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A position in the log, written as two hexadecimal numbers. */
function positionOf(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`${text} is no position in the log`);
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

/** More than a backup of a terabyte needs while it runs; a list that asks for more is not PostgreSQL's. */
const maxLogFiles = 1_000_000n;

/** The names of the files that hold these parts of the log, if each has this size. */
export function logFiles({ log }: Pick<Manifest, 'log'>, segmentBytes: number): string[] {
  const size = BigInt(segmentBytes);
  const perHigh = 0x1_0000_0000n / size;
  return log.flatMap(({ timeline, from, to }) => {
    const first = from / size;
    const last = (to - 1n) / size;
    if (last < first || last - first > maxLogFiles) throw new Error('it names an impossible part of the log');
    const hex = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0');
    return Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index)).map(
      (segment) => `${hex(timeline)}${hex(segment / perHigh)}${hex(segment % perHigh)}`,
    );
  });
}
