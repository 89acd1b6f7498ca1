import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sectionOf, withRelease } from './changelog';
import { faultsOf, isVersion } from './check';
import { packOffline, sbomOf } from './offline-bundle';
import { disagreements, versionOf, writeVersion } from './places';

const help = `node tools/release/release.mjs <command>

  version                            prints the version of Sheaf
  raise <version>                    writes a version wherever it is told, and begins its section in CHANGELOG.md
  check <tag>                        says why a tag must not be released
  notes                              prints what CHANGELOG.md says about the version
  sbom                               prints the packages in the bundles as SPDX
  offline <folder> [--any-nats]      packs the built system for this platform, so that it installs without a network
`;

/** @returns what to print, and the exit code */
export async function release(root: string, args: readonly string[], today: Date): Promise<{ text: string; code: 0 | 1 | 2 }> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'any-nats': { type: 'boolean', default: false } },
  });
  const [command = '', argument] = positionals;
  const changelog = join(root, 'CHANGELOG.md');
  const done = (text: string) => ({ text, code: 0 as const });
  const refused = (text: string) => ({ text, code: 1 as const });

  if (command === 'version') return done(versionOf(root));
  if (command === 'sbom') return done(sbomOf(root).trimEnd());
  if (command === 'notes') {
    const section = sectionOf(readFileSync(changelog, 'utf8'), versionOf(root));
    return section ? done(section.text) : refused(`CHANGELOG.md has no section for ${versionOf(root)}.`);
  }
  if (command === 'raise' && argument !== undefined) {
    if (!isVersion(argument)) return refused(`${argument} is not a version such as 1.2.3.`);
    if (sectionOf(readFileSync(changelog, 'utf8'), argument)) return refused(`CHANGELOG.md has a section for ${argument} already.`);
    writeVersion(root, argument);
    writeFileSync(changelog, withRelease(readFileSync(changelog, 'utf8'), argument, today.toISOString().slice(0, 10)));
    const left = disagreements(root);
    return left.length === 0 ? done(`Sheaf is ${argument} now. Read its section in CHANGELOG.md.`) : refused(left.join('\n'));
  }
  if (command === 'check' && argument !== undefined) {
    const faults = faultsOf(root, argument);
    return faults.length === 0 ? done(`${argument} may be released.`) : refused(faults.join('\n'));
  }
  if (command === 'offline' && argument !== undefined) {
    const onProgress = (step: string) => void process.stderr.write(`${step}\n`);
    return done(await packOffline(root, resolve(argument), { anyNats: values['any-nats'], onProgress }));
  }
  return { text: help.trimEnd(), code: 2 };
}
