import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apps } from '@sheaf/kernel';

/**
 * The files that tell the version of Sheaf beside package.json, its home: each is read by a program that cannot read package.json. The first
 * group of a pattern comes before a version, which it must match as often as the file tells it.
 */
const copies: readonly { file: string; pattern: RegExp }[] = [
  // npm keeps it twice at the head of the lock file.
  {
    file: 'package-lock.json',
    pattern: /(^\{\n {2}"name": "sheaf",\n {2}"version": "|^ {4}"": \{\n {6}"name": "sheaf",\n {6}"version": ")([^"]+)/gm,
  },
  // kustomize sets the tags of images, the labels of pods and the names of migrations from it.
  ...apps.map((app) => ({ file: `deploy/services/${app}/version/kustomization.yaml`, pattern: /(newTag: )(\S+)/g })),
  // Helm's own, and the default tag of the images.
  { file: 'deploy/chart/Chart.yaml', pattern: /(^(?:appV|v)ersion: )(\S+)/gm },
  { file: 'deploy/compose.yaml', pattern: /(_VERSION:-)([^}]+)/g },
];
const home = { file: 'package.json', pattern: /(^\{\n {2}"name": "sheaf",\n {2}"version": ")([^"]+)/g };

const read = (root: string, file: string) => readFileSync(join(root, file), 'utf8');
const versionsIn = (root: string, { file, pattern }: (typeof copies)[number]) =>
  [...read(root, file).matchAll(pattern)].map(([, , version = '']) => version);

/** The version of Sheaf. */
export const versionOf = (root: string): string => versionsIn(root, home)[0] ?? '';

/** The facts in the files that differ from package.json. */
export function disagreements(root: string): string[] {
  const expected = versionOf(root);
  return copies.flatMap((copy) => {
    const told = versionsIn(root, copy);
    if (told.length === 0) return [`${copy.file} tells no version.`];
    return [...new Set(told)].filter((version) => version !== expected).map((version) => `${copy.file} says ${version}.`);
  });
}

/** Writes a version wherever it is told. */
export function writeVersion(root: string, version: string): void {
  for (const { file, pattern } of [home, ...copies])
    writeFileSync(
      join(root, file),
      read(root, file).replace(pattern, (_all, before: string) => `${before}${version}`),
    );
}
