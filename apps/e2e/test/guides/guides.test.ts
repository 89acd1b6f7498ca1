import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, blocksOf } from '../../support/guides/page';
import { Reader } from '../../support/guides/reader';
import { credentials } from '../../support/people';

// Works through every page of docs/guides as a reader does. docs/contributing/documentation.md tells how blocks are written.

const folder = join(__dirname, '../../../../docs/guides');
const guides = readdirSync(folder).filter((file) => file.endsWith('.md'));
const readme = readFileSync(join(folder, '../../README.md'), 'utf8');

const blocksOfGuide = (guide: string): Block[] => blocksOf(readFileSync(join(folder, guide), 'utf8'));

/** A fresh machine has Node, but not always Python with this package: without it, the guides that need it are left out. */
const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0;
const possible = guides.filter((guide) => {
  const blocks = blocksOfGuide(guide);
  // A guide may have nothing to run, such as the one on texts.
  return blocks.length > 0 && (hasPython || !blocks.some(({ language }) => language === 'python'));
});

describe.each(possible)('The guide %s', (guide) => {
  const blocks = blocksOfGuide(guide);
  let reader: Reader;
  let failedAt: number | undefined;
  beforeAll(async () => {
    reader = await Reader.begin({ origin: new URL(credentials.base_url).origin, dataDir: process.env.E2E_DATA_DIR ?? '' });
  });
  afterAll(() => reader.close());

  it.each(blocks)('works at line $line ($language)', async (block) => {
    if (failedAt !== undefined) throw new Error(`not tried, because the block at line ${failedAt} failed`);
    failedAt = block.line;
    await reader.follow(block);
    failedAt = undefined;
  });

  it('shows only programs that TypeScript accepts', () => expect(reader.typeErrors()).toEqual([]));
});

it.each(guides)('The README links to the guide %s', (guide) => expect(readme).toContain(`(docs/guides/${guide})`));
